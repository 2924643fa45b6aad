"""A machine-made engine as a program: the reference engine with one small change of its code.

`python -m tools machine-engine ID` serves it like any engine, so every command can play it:
`conformance run --engine 'python -m tools machine-engine ID'`. The id of a change stays the same as long as
the line that it changes does.
"""

from __future__ import annotations

import importlib
import resource
import sys
from collections.abc import Sequence

from conformance_adapters.in_process import Reference
from conformance_adapters.serve import alone_on_stdout, serve
from tools.code_changes import BYTES, MODULES, forget, identified_changes, module_name


def serve_machine_engine(id: str, modules: Sequence[str] = MODULES) -> None:
    """Serve the engine with this change over stdin and stdout. Raises `LookupError` if there is none."""
    for module in MODULES:
        importlib.import_module(module_name(module))
    for module in modules:
        for identity, change in identified_changes(module):
            if identity.id == id:
                resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
                name = module_name(module)
                change.take_over(sys.modules[name])
                forget("reference_engine")
                with alone_on_stdout() as outgoing:
                    serve(Reference(), sys.stdin.buffer, outgoing)
                return
    raise LookupError(f"no change has the id {id!r}\n    `python -m tools machine-made` prints ids")
