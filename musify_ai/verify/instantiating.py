"""Template arguments of kernels as a front end sees them: deduction, host templates and defaults included.

libclang reads the unit against the same headers that it is built with. Where it is not installed, only what the text
spells out is known.
"""

from collections.abc import Sequence
from pathlib import Path

from musify_ai.backends.emulated import RUNTIME_HEADER, Side
from musify_ai.records import Kernel
from musify_ai.syntax.clang import LibclangMissing
from musify_ai.verify.closures import Closure, Sources

NEEDS_LIBCLANG = "install musify-ai[verify]"


class Instantiator:
    """Asks libclang for the instantiations of kernel templates; ``missing`` once it turned out not to be there."""

    def __init__(self, headers: Path) -> None:
        self.headers = headers
        self.missing = False

    def resolve(self, kernels: Sequence[Kernel], sources: Sources, closure: Closure, side: Side) -> tuple[Kernel, ...]:
        """The kernels with the instantiations of a unit; as they were where there is no template or no libclang."""
        if self.missing or not any(kernel.template for kernel in kernels):
            return tuple(kernels)
        from musify_ai.emulator.headers import header_dirs
        from musify_ai.kernels.signatures import resolve

        root = sources.root.absolute()
        folders = [root / folder for folder in closure.include_dirs]
        # The small floating types come with libraries' headers, which may not be here.
        first = (RUNTIME_HEADER[side], f"{side}_fp16.h", f"{side}_bf16.h")
        arguments = [f"-DMUSIFY_EMU_ARCH={800 if side == 'cuda' else 220}"]
        for header in first:
            arguments += ["-include", header]
        placed = [kernel._replace(path=str(root / kernel.path)) for kernel in kernels]
        try:
            found = resolve(
                placed,
                unit=root / closure.files[0],
                include_dirs=[*folders, *header_dirs(side, self.headers)],
                arguments=arguments,
            )
        except LibclangMissing:
            self.missing = True
            return tuple(kernels)
        except OSError:
            return tuple(kernels)
        return tuple(
            kernel._replace(instantiations=each.instantiations or kernel.instantiations)
            for kernel, each in zip(kernels, found, strict=True)
        )
