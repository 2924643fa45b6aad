"""`conformance` and `python -m conformance`: the command line."""

import os
import sys

from conformance import cli


def main() -> None:
    """Run a command; exits with 2 and one line if its output cannot be written."""
    try:
        try:
            cli.main()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        code = 1  # as click does: nobody reads the output any more
    except OSError as error:
        code = 2
        what = error.filename or "the output cannot be written"
        print(f"{what}: {error.strerror or error}", file=sys.stderr)
    # Output that is still buffered would fail again when Python exits.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise SystemExit(code)


if __name__ == "__main__":
    main()
