"""Template arguments of kernels as a front end sees them: deduction, host templates and defaults included.

libclang reads the unit against the same headers that it is built with, in a process of its own under limits. Where it
is not installed, or does not come to an end, only what the text spells out is known.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from musify_ai.backends.emulated import RUNTIME_HEADER, Companions, Side
from musify_ai.backends.limits import Limits, clean_environment, run_limited, scratch
from musify_ai.backends.sandbox import Access, python_folders
from musify_ai.kernels import resolving
from musify_ai.records import Kernel
from musify_ai.verify.closures import Closure, Sources

NEEDS_LIBCLANG = "install musify-ai[verify]"


class Instantiator:
    """Asks libclang for the instantiations of kernel templates; ``missing`` once it turned out not to be there."""

    def __init__(self, headers: Path, seconds: int = 30, companions: Companions | None = None) -> None:
        self.headers = headers
        self.companions = companions
        self.limits = Limits(cpu=seconds, wall=4.0 * seconds, memory=4096)
        self.missing = False

    def resolve(self, kernels: Sequence[Kernel], sources: Sources, closure: Closure, side: Side) -> tuple[Kernel, ...]:
        """The kernels with the instantiations of a unit; as they were where there is no template or no libclang."""
        if self.missing or not any(kernel.template for kernel in kernels):
            return tuple(kernels)
        root = sources.root.absolute()
        folders = [root / folder for folder in closure.include_dirs]
        # The small floating types come with libraries' headers, which may not be here.
        first = (RUNTIME_HEADER[side], f"{side}_fp16.h", f"{side}_bf16.h")
        arguments = [f"-DMUSIFY_EMU_ARCH={800 if side == 'cuda' else 220}", *closure.defines]
        for header in first:
            arguments += ["-include", header]
        with scratch() as beside:
            if side == "musa" and self.companions is not None:
                for name, text in self.companions.files.items():
                    (beside / name).parent.mkdir(parents=True, exist_ok=True)
                    (beside / name).write_bytes(text)
                folders.insert(0, beside)
                arguments += ["-include", self.companions.forced]
            placed = [kernel._replace(path=str(root / kernel.path)) for kernel in kernels]
            unit = root / closure.files[0]
            return self._asked(kernels, placed, unit, folders, side, arguments, (root, beside))

    def _asked(
        self, kernels: Sequence[Kernel], placed: Sequence[Kernel], unit: Path, folders: Sequence[Path], side: Side,
        arguments: Sequence[str], readable: Sequence[Path],
    ) -> tuple[Kernel, ...]:  # fmt: skip
        from musify_ai.emulator.headers import header_dirs

        asked = resolving.request(placed, unit, [*folders, *header_dirs(side, self.headers)], arguments)
        with scratch() as folder:
            ours = {"PYTHONPATH": str(Path(resolving.__file__).parents[2])}
            done = run_limited(
                [sys.executable, "-m", resolving.__name__],
                cwd=folder, limits=self.limits, env=clean_environment(folder, ours), stdin=asked,
                access=Access((*python_folders(), Path(ours["PYTHONPATH"]), self.headers, *readable)),
            )  # fmt: skip
        if done.ended == "exit" and done.code == resolving.MISSING:
            self.missing = True
        try:
            found = resolving.instantiations(done.stdout) if done.ok else []
        except ValueError:
            found = []
        if len(found) != len(kernels):
            return tuple(kernels)
        return tuple(
            kernel._replace(instantiations=each or kernel.instantiations)
            for kernel, each in zip(kernels, found, strict=True)
        )
