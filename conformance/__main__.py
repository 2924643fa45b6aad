"""`conformance` and `python -m conformance`: the command line."""

import os
import sys

from conformance import cli


def main() -> None:
    """Run a command; where its output cannot be written to its end, it ends with 2 and one line."""
    try:
        try:
            cli.main()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        code = 1  # as click has it: nobody reads any more
    except OSError as error:
        code = 2
        what = error.filename or "the output cannot be written"
        print(f"{what}: {error.strerror or error}", file=sys.stderr)
    # What is still to be written would fail again when Python ends.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise SystemExit(code)


if __name__ == "__main__":
    main()
