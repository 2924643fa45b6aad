"""Adds the compiled file of fixtures and cards to a wheel as it is built."""

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledFixtures(BuildHookInterface[Any]):  # type: ignore[misc]  # only a build has hatchling
    """Compiles the fixtures of the source tree that is being built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the file and include it in the wheel; an editable install reads its checkout instead."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from conformance.data.loading import compiled_suite

        self.made = tempfile.TemporaryDirectory()
        path = Path(self.made.name, "compiled.msgpack")
        path.write_bytes(compiled_suite())
        build_data["force_include"][str(path)] = "conformance/fixtures/compiled.msgpack"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Delete the file once it is in the wheel."""
        if version != "editable":
            self.made.cleanup()
