"""Puts the compiled rules into the wheel, so that an installed copy never has to make them."""

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface):
    """Called by hatchling; an editable install compiles its rules by itself, whenever they change."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the rules beside the build and have them packed."""
        if self.target_name != "wheel" or version == "editable":
            return
        sys.path.insert(0, self.root)
        from musify_ai.rules.compiling import compile_rules, compiled_path

        self._made = tempfile.TemporaryDirectory()
        for part in ("main", "bulk"):
            name = compiled_path(part).name
            made = Path(self._made.name) / name
            made.write_bytes(compile_rules(Path(self.root) / "rules", part))
            build_data["force_include"][str(made)] = f"musify_ai/rules/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Take the compiled rules away again; the wheel has them."""
        made = getattr(self, "_made", None)
        if made is not None:
            made.cleanup()
