"""Codes without a module of their own: what the entry point reports."""

from typing import NamedTuple


class Documented(NamedTuple):
    """The page of a code in three parts."""

    title: str
    why: str
    instead: str


DOCUMENTED: dict[str, Documented] = {
    "MUS000": Documented(
        "Internal error",
        "A rule failed on this file. Everything else was translated; what that rule covers was not looked at, and no "
        "guard in the file was switched.",
        "Report it with the file, and look through the file for what the rule covers.",
    ),
    "MUS001": Documented(
        "Already MUSA",
        "The file is MUSA source by its suffix, an include or a guard on a MUSA macro, so it is left byte for byte, "
        "although it holds names that a CUDA file would have translated.",
        "Leave CUDA names that stand in a branch for CUDA. Where the file is half ported, take the MUSA include or "
        "guard out and run again.",
    ),
    "MUS002": Documented(
        "Suppression that keeps nothing out",
        "A comment (MUSIFY_EXCL_*, musify: ignore) covers lines in which the tool has nothing to do or say, or names a "
        "code that does not occur there. What it once covered may be gone, or stand where the comment does not reach. "
        "Also a MUSIFY_EXCL_START without a STOP, which covers the rest of the file.",
        "Take the comment away, or correct the code in it.",
    ),
    "MUS117": Documented(
        "Device source in a string",
        "What NVRTC, CuPy, PyCUDA or PyTorch's load_inline compile at run time stands in a string. Where the string "
        "defines a kernel or a device function, or is handed to nvrtcCreateProgram in the same file, it is translated "
        "as a file is. An edit that would reach into an escape sequence or over the end of a literal is not made, nor "
        "is any in an f-string. Where parts of a source are put in at run time, names are translated in the pieces "
        "that the file is seen to compile, but no guard and no PTX: what they govern cannot be seen.",
        "Write the source as one raw string, or translate the piece by hand. Mind that run-time compilation itself is "
        "unproven on MUSA (MUS704).",
    ),
    "MUS113": Documented(
        "MUSA name without a way back",
        "With --direction m2c names and headers go back to CUDA's. No CUDA name became this one (a guard macro, a "
        "builtin, a call that a port rewrote), so it is left and would not build with nvcc.",
        "Write the place for CUDA by hand, or keep it behind a guard on __MUSACC__.",
    ),
    "MUS120": Documented(
        "Own name that was not rebranded",
        "With --style rebrand the project's own names and files lose CUDA's name, by word part. This one could not: "
        "what it would become is there already, or becomes of another name or file too; or it is made by token "
        "pasting, named in a build file, used by a file that the run leaves alone, or a function with C linkage that "
        "a file of another language or a linker script names. It is left, and everything that uses it with it.",
        "Rename one of the two by hand, or leave both.",
    ),
    "MUS121": Documented(
        "No branch could be put around a place",
        "With --style dual a place that has another meaning on MUSA gets a branch of its own. This one stands under an "
        "#if that is never closed, so the preprocessor would take the branch apart.",
        "Close the #if, or write the branch for MUSA by hand.",
    ),
    "MUS122": Documented(
        "Text names something that was renamed",
        "With --style rebrand a symbol or a file of the project has a new name, and here text has the old one: a "
        "look-up by name (dlsym, cuModuleGetFunction), a header that a macro or source inside a string includes, a "
        "list of sources in a build file. Text is not rewritten, since nothing says what reads it.",
        "Write the new name in the text where it means the symbol or file.",
    ),
    "MUS123": Documented(
        "Branch for MUSA in a file of the host's",
        "With --style dual a branch for MUSA is taken where __MUSACC__ is defined, which mcc alone does. A .cpp file "
        "that another compiler builds for MUSA takes the branch for CUDA, though it should take the other.",
        "Compile the file with mcc (-x musa) in a build for MUSA.",
    ),
    "MUS901": Documented(
        "Function rewritten by a model",
        "Rules left something in this function, and a model (--llm) rewrote it. The new code has the function's head, "
        "holds none of the constructs, no assembly and no names that MUSA lacks; every kernel that runs it gave the "
        "original's results bit for bit on each target arch, with inputs drawn after the answer was there, twice; and "
        "wrong versions of it were noticed. That is evidence, and no proof; a rewrite without matrix units or "
        "asynchronous copies is slower by design.",
        "Read the rewrite in the report or the patch as you would read a colleague's. Where it is slower by design, "
        "write the fast form for your arch when it is right.",
    ),
    "MUS813": Documented(
        "CUDA source inside a template or another language",
        "A file whose name says neither CUDA nor C++ defines kernels or device functions: a template from which "
        "sources are made (Jinja, Mako), or a program in another language that compiles them at run time. Its text is "
        "no C++ as it stands, so it is neither translated nor checked. (Python is read for such source.)",
        "Translate what the template makes and carry the changes back, or keep the source in a .cu file that the "
        "program reads.",
    ),
}
"""Each code with its page."""
