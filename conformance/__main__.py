"""`conformance` and `python -m conformance`: the command line."""

import gc
import os
import sys

from conformance import cli
from conformance.data.garbage import garbage_kept_longer

NOBODY_READS = 141
"""The exit code if nobody reads the output any more: what a shell reports for SIGPIPE."""


def main() -> None:
    """Run a command; exits with 2 and one line if its output cannot be written."""
    stdout = sys.stdout
    try:
        try:
            with garbage_kept_longer():
                cli.main()
        finally:
            gc.freeze()  # otherwise Python searches all that was loaded for garbage before it exits
            sys.stdout.flush()
    except BrokenPipeError:
        code = NOBODY_READS
    except SystemExit:
        if sys.stdout is stdout:
            raise
        # Click noticed first and replaced `stdout`; its exit code, 1, would mean that an engine disagrees.
        code = NOBODY_READS
    except OSError as error:
        code = 2
        what = error.filename or "the output cannot be written"
        print(f"{what}: {error.strerror or error}", file=sys.stderr)
    # Output that is still buffered would fail again when Python exits.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise SystemExit(code)


if __name__ == "__main__":
    main()
