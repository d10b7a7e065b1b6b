"""A stand-in for ``mcc``, MUSA's compiler, for machines without an SDK: it takes mcc's flags, refuses all others, and
builds for the CPU device with the MUSA header set. What it builds runs on the CPU: nothing of it is a run on a GPU.

``install(folder)`` makes a MUSA_HOME there and returns it::

    bin/mcc, bin/clang++      this program; clang++ is the name that CMake projects give as CMAKE_CXX_COMPILER
    include/                  the CPU device's MUSA headers
    lib/libmusart.a           the CPU device; libmusa, libmublas and so on are there by name and empty

so a test sets ``PATH`` to ``home/bin`` before the rest, or ``MUSA_HOME=home``, or runs
``cmake -DCMAKE_CXX_COMPILER=home/bin/clang++ -DCMAKE_CXX_FLAGS='-x musa --offload-arch=mp_22'``. The folder holds all
that it needs and may be shown read-only in a sandbox.

Languages: ``.mu`` is MUSA; ``-x musa`` makes any file MUSA (a ``.cu`` without it is refused, as mcc takes it for
CUDA); other files are plain C++ or C, with the SDK's ``include`` searched. One arch is built, the first that is given
(mp_22 where none is). ``-lmusart`` is needed to link what calls the runtime. Errors are printed as clang prints them.
A shared library is linked without the device, which the program that loads it has: both must be of this compiler.

What is taken, and where it is known from (public builds for MUSA): ``-x musa``, ``--offload-arch=``,
``--cuda-gpu-arch=``, ``--musa-path=``, ``-mtgpu``, ``-Od<n>``, ``-fmusa-flush-denormals-to-zero``, ``-rdc=``,
``-fgpu-rdc``, ``-mllvm -mtgpu-*``, ``-mathx-disable-fp64``, ``-ffast-math`` and clang's common flags. What is refused
above all: nvcc's ``-gencode``, ``-arch=``, ``--expt-*``, ``--use_fast_math``, ``-lineinfo``, ``-Xcompiler`` (of which
public builds do not agree), ``-Xptxas``, ``-ccbin``, and libraries of CUDA's (``-lcudart``).
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve()
if (HERE.parent / "musify_ai").is_dir():  # installed: run from its own copy of the package
    sys.path.insert(0, str(HERE.parent))

VERSION = "5.2.0"
MACROS = {"mp_21": 210, "mp_22": 220, "mp_31": 310}
LIBRARIES = ("musart", "musart_static", "musa", "mublas", "mublasLt", "mufft", "murand", "musparse", "musolver", "mccl",
             "mudnn", "mupti", "mtml")  # fmt: skip
OF_SYSTEM = ("m", "c", "dl", "rt", "pthread", "stdc++", "gcc_s", "gcc", "util")

# With a value in the next word, or in the same (``-DNAME``, ``-D NAME``).
_JOINED = ("-D", "-U", "-I", "-L", "-l", "-o")
_SEPARATE = ("-include", "-isystem", "-iquote", "-idirafter", "-MF", "-MT", "-MQ")
_FLAG = re.compile(
    r"-(?:c|E|S|v|w|g|g[0-3]|ggdb|pipe|pthread|shared|static|rdynamic|nostdinc\+\+|pie|no-pie|fPIC|fpic|fPIE|fpie"
    r"|O[0-3sgz]?|Ofast|Od[0-3]|std=(?:c|gnu)(?:\+\+)?\w+|M|MM|MD|MMD|MP|mtgpu|mathx-disable-fp64"
    r"|m(?:arch|tune|cpu)=[\w.+-]+|m(?:avx\w*|sse[\w.]*|fma|f16c|64)|W(?!l,|p,|a,)[\w=+#-]*|pedantic|rdc=(?:true|false)"
    r"|fgpu-rdc|fno-gpu-rdc|f(?:no-)?(?:fast-math|exceptions|rtti|lto|openmp|strict-aliasing|inline-functions"
    r"|unroll-loops|math-errno|common|omit-frame-pointer|stack-protector\w*|visibility-inlines-hidden|color-diagnostics"
    r"|diagnostics-color|char8_t|finite-math-only|unsafe-math-optimizations|associative-math|signed-char)"
    r"|f(?:fp-contract|visibility|diagnostics-color|debug-prefix-map|file-prefix-map|macro-prefix-map"
    r"|template-depth|constexpr-steps|error-limit|ferror-limit|fopenmp|stack-protector|ftrapping-math)=\S+"
    r"|fmusa-flush-denormals-to-zero|f(?:no-)?musa-flush-denormals-to-zero|dumpmachine|dumpversion|print-[\w=-]+)"
)
_OF_NVCC = ("-lineinfo", "-dlto", "-dc", "-dw", "-ewp", "-ptx", "-cubin")  # some would read as another flag's value
_OF_MCC = re.compile(r"-(?:mtgpu|mathx|rdc|f(?:no-)?gpu-rdc|fmusa|Od)")  # what a host compiler does not take
_OLDER = re.compile(r"-std=(?:c|gnu)\+\+(?:98|03|11|0x|14|1y)")
_OFFLOAD = re.compile(r"--(?:offload-arch|cuda-gpu-arch)=(\w+)")
_WHOLE = re.compile(r"--(?:musa-path|sysroot|target|gcc-toolchain|musa-device-lib-path)=\S+|--verbose|--save-temps")
_SOURCE = re.compile(r"\.(?:mu|cu|c|cc|cpp|cxx|c\+\+|C|s|S)$")
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*(?:include|import|include_next)[ \t]*([<"])([^">\n]+)[>"]', re.M)

# What g++ says, as clang says it.
_AS_CLANG = (
    (re.compile(r"'([^']+)' was not declared in this scope.*"), r"use of undeclared identifier '\1'"),
    (re.compile(r"'([^']+)' does not name a type.*"), r"unknown type name '\1'"),
    (re.compile(r"'([^']+)' has not been declared.*"), r"unknown type name '\1'"),
    (re.compile(r"([^ :]+): No such file or directory"), r"'\1' file not found"),
    (re.compile(r"'([^']+)' has no member named '([^']+)'.*"), r"no member named '\2' in '\1'"),
    (re.compile(r"'([^']+)' is not a member of '([^']+)'.*"), r"no member named '\1' in namespace '\2'"),
)
_QUOTES = {0x2018: "'", 0x2019: "'"}
_LINE = re.compile(r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?P<column>\d+): (?P<kind>(?:fatal )?error): (?P<text>.*)$")


class Refused(Exception):
    """A command line that mcc would not take; the message is mcc's."""


class Asked(NamedTuple):
    """A command line taken apart. ``inputs`` are files with the language given for each (empty: by suffix); ``links``
    are words for the linker, in their places among the inputs."""

    inputs: tuple[tuple[str, str], ...]
    output: str
    mode: str
    arch: str
    macros: tuple[str, ...]
    folders: tuple[str, ...]
    forced: tuple[str, ...]
    flags: tuple[str, ...]
    links: tuple[str, ...]
    depend: str
    target: str


def parsed(words: list[str]) -> Asked:
    """A command line taken apart. Raises `Refused` for what mcc does not know."""
    inputs, macros, folders, forced, flags, links, archs = [], [], [], [], [], [], []
    output, mode, language, depend, target, wants = "", "", "", "", "", False
    rest = iter(words)

    def value(word: str) -> str:
        try:
            return next(rest)
        except StopIteration:
            raise Refused(f"argument to '{word}' is missing (expected 1 value)") from None

    for word in rest:
        key = next((each for each in _JOINED if word.startswith(each)), "")
        if word in _SEPARATE:
            given = value(word)
            if word == "-include":
                forced.append(given)
            elif word == "-MF":
                depend = given
            elif word in ("-MT", "-MQ"):
                target = given
            else:
                folders.append(given)
        elif word == "-x":
            language = value(word)
            if language not in ("musa", "c++", "c", "none"):
                raise Refused(f"language not recognized: '{language}'")
            language = "" if language == "none" else language
        elif word in ("-mllvm", "-Xclang", "-Xlinker"):
            given = value(word)
            if word == "-mllvm" and not re.fullmatch(r"-(?:mtgpu-|misched|amdgpu-)?[\w-]+(?:=\S+)?", given):
                raise Refused(f"unknown argument: '{given}'")
            if word == "-Xlinker":
                links.append(f"-Wl,{given}")
        elif word in _OF_NVCC:
            raise Refused(f"unknown argument: '{word}'")
        elif match := _OFFLOAD.fullmatch(word):
            if match[1] not in MACROS:
                raise Refused(f"unsupported MUSA gpu architecture: {match[1]}")
            archs.append(match[1])
        elif word.startswith("-Wl,") or re.match(r"-(?:shared|static|rdynamic|pie|no-pie|pthread)$", word):
            links.append(word)
            mode = mode or ("shared" if word == "-shared" else "")
        elif key and not word.startswith("-Od") and not (key == "-o" and word != "-o"):
            given = word[2:] or value(word)
            if key in ("-D", "-U"):
                macros.append(key + given)
            elif key == "-I":
                folders.append(given)
            elif key == "-o":
                output = given
            else:
                links.append(key + given)
        elif word in ("-c", "-E", "-S", "-M", "-MM"):
            mode = word
        elif word in ("-MD", "-MMD"):
            wants = True
        elif word == "-MP" or _WHOLE.fullmatch(word):
            continue
        elif word.startswith("-") and word != "-":
            if not _FLAG.fullmatch(word):
                raise Refused(f"unknown argument: '{word}'")
            flags.append(word)
        else:
            inputs.append((word, language))
            links.append(f"\0{len(inputs) - 1}")
    if mode in ("-S", "-M", "-MM"):
        raise Refused(f"the stand-in does not do '{mode}'")
    if wants and not depend:
        depend = str(Path(output or inputs[0][0]).with_suffix(".d"))
    return Asked(tuple(inputs), output, mode, (archs or ["mp_22"])[0], tuple(macros), tuple(folders), tuple(forced),
                 tuple(flags), tuple(links), depend if wants else "", target)  # fmt: skip


def language_of(path: str, given: str) -> str:
    """The language of an input: ``musa``, ``c++``, ``c``, or ``object``."""
    if given:
        return given
    suffix = Path(path).suffix
    if suffix == ".cu":
        raise Refused(f"cannot find CUDA installation for '{path}'; pass -x musa to compile it as MUSA")
    if not _SOURCE.search(path):
        return "object"
    return "musa" if suffix == ".mu" else "c" if suffix == ".c" else "c++"


def compiler(*names: str) -> list[str]:
    """The host's C++ compiler: the first there is of those named, past our own name."""
    places = [each for each in os.get_exec_path() if Path(each).resolve() != HERE.parents[1] / "bin"]
    for name in names or ("g++", "clang++"):
        found = shutil.which(name, path=os.pathsep.join(places))
        if found:
            return [found]
    raise Refused("the stand-in found no host compiler (g++ or clang++)")


def _newer(flags: Sequence[str]) -> list[str]:
    """The flags, of no older standard than the CPU device's headers are written in."""
    return ["-std=c++17", *(each for each in flags if not _OLDER.fullmatch(each))]


def _at(path: str) -> Path:
    return Path(os.path.abspath(path))


def _shown(path: Path) -> str:
    """A path as clang prints that of an included file: from here on where it is below."""
    return f"./{path.relative_to(Path.cwd())}" if path.is_relative_to(Path.cwd()) else str(path)


def taken_in(source: Path, folders: list[Path], forced: list[Path]) -> list[Path]:
    """The files that a source includes, as far as they are no headers of the system or of the SDK."""
    found: dict[Path, None] = {}
    waiting = [source, *forced]
    while waiting:
        path = waiting.pop()
        if path in found or not path.is_file():
            continue
        found[path] = None
        for quote, name in _INCLUDE.findall(path.read_bytes()):
            places = [*([path.parent] if quote == b'"' else []), *folders]
            text = name.decode("utf-8", "surrogateescape")
            for place in (Path(os.path.normpath(folder / text)) for folder in places):
                if place.is_file():
                    waiting.append(place)
                    break
    return list(found)


def as_clang(text: str, names: dict[str, str]) -> str:
    """What a host compiler printed, with the user's paths and in clang's words."""
    out, errors = [], 0
    for line in text.splitlines():
        match = _LINE.match(line)
        if match is None:
            head, colon, rest = line.partition(":")
            out.append(names[head] + colon + rest if head in names else line)
            continue
        errors += 1
        said = match["text"].translate(_QUOTES)
        for pattern, words in _AS_CLANG:
            said = pattern.sub(words, said, count=1) if pattern.match(said) else said
        file = names.get(match["file"].removeprefix("./"), match["file"])
        out.append(f"{file}:{match['line']}:{match['column']}: {match['kind']}: {said}")
    if errors:
        out.append(f"{errors} error{'s' if errors > 1 else ''} generated.")
    return "\n".join([*out, ""])


def sdk_includes() -> list[str]:
    """The options for the SDK's headers: the installed ones, or those of the source tree."""
    home = HERE.parents[1]
    if (home / "include" / "musa_runtime.h").is_file():
        return ["-isystem", str(home / "include")]
    raise Refused(f"cannot find MUSA installation at {home}")


def compile_musa(asked: Asked, path: str, out: Path) -> int:
    """Compile one MUSA source to an object (or to preprocessed text); what is said goes to stderr."""
    from musify_ai.backends.emulated import UNIT_FLAGS
    from musify_ai.emulator.prepare import prepare_tree

    source = _at(path)
    if not source.is_file():
        raise Refused(f"no such file or directory: '{path}'")
    folders = [_at(each) for each in asked.folders]
    home = HERE.parents[1]
    own = [each for each in folders if not each.is_relative_to(home) and not each.is_relative_to("/usr/include")]
    places = [Path.cwd(), *folders]
    forced = [next((place / each for place in places if (place / each).is_file()), _at(each)) for each in asked.forced]
    files = taken_in(source, own, forced)
    root = Path(os.path.commonpath([*(each.parent for each in files), *(each for each in own if each.is_dir())]))
    sources = {each.relative_to(root).as_posix(): each.read_bytes() for each in files}
    names = {place: _shown(root / place) for place in sources} | {source.relative_to(root).as_posix(): path}
    with tempfile.TemporaryDirectory(prefix="mcc-") as work:
        tree = Path(work)
        prepare_tree(tree, sources, tree, "musa", sources)
        forwarded = [each for each in _newer(asked.flags) if not _OF_MCC.match(each) and not each.startswith("-W")]
        command = [
            *compiler(), *UNIT_FLAGS, *forwarded, "-ffp-contract=off", f"-DMUSIFY_EMU_ARCH={MACROS[asked.arch]}",
            "-D__CUDA__=1", "-D__MCC__=1", *asked.macros, "-include", "musa_runtime.h",
            *(part for each in forced for part in ("-include", str(each.relative_to(root)))),
            *(f"-I{each.relative_to(root)}" for each in own if each.is_dir()), *sdk_includes(),
            "-x", "c++", *(("-E", "-P") if asked.mode == "-E" else ("-c",)),
            source.relative_to(root).as_posix(), "-o", str(out),
        ]  # fmt: skip
        done = subprocess.run(command, cwd=tree, capture_output=True, text=True, errors="replace", env=_plain())
    sys.stderr.write(as_clang(done.stderr, names))
    if asked.depend and done.returncode == 0:
        listed = " \\\n  ".join(str(each).replace(" ", "\\ ") for each in files)
        Path(asked.depend).write_text(f"{asked.target or out}: {listed}\n", "utf-8")
    return 1 if done.returncode else 0


def compile_host(asked: Asked, path: str, language: str, out: Path) -> int:
    """Compile a plain C++ or C source, with the SDK's headers within reach."""
    flags = [each for each in asked.flags if not _OF_MCC.match(each)]
    if language == "c++":
        flags = _newer(flags)
    command = [
        # mcc is a clang, and build systems ask which compiler this is.
        *compiler("clang++", "g++"), *flags, f"-DMUSIFY_EMU_ARCH={MACROS[asked.arch]}", *asked.macros,
        *(part for each in asked.forced for part in ("-include", each)), *(f"-I{each}" for each in asked.folders),
        *sdk_includes(), *(("-MD", "-MF", asked.depend) if asked.depend else ()),
        *(("-MT", asked.target) if asked.target else ()), "-x", language, asked.mode if asked.mode == "-E" else "-c",
        path, "-o", str(out),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", env=_plain())
    sys.stderr.write(as_clang(done.stderr, {}))
    return 1 if done.returncode else 0


def link(asked: Asked, objects: dict[int, Path]) -> int:
    """Link a program or a shared library; the CPU device comes in place of the runtime library."""
    home = HERE.parents[1]
    words: list[str] = []
    device = False
    for word in asked.links:
        if word.startswith("\0"):
            path = str(objects[int(word[1:])])
            if Path(path).name in ("libmusart.a", "libmusart_static.a"):
                device = True
            else:
                words.append(path)
        elif word.startswith("-l") and word[2:] in LIBRARIES:
            device = device or word[2:].startswith("musart")
        elif word.startswith("-l") and word[2:].startswith(("cuda", "cublas", "cufft", "curand", "nv", "nccl")):
            sys.stderr.write(f"/usr/bin/ld: cannot find {word}: No such file or directory\n")
            return _link_failed()
        else:
            words.append(word)
    shared = "-shared" in asked.links
    core = [] if shared or not device else [str(home / "lib" / "libmusart.a")]
    whole = ["-Wl,--whole-archive", *core, "-Wl,--no-whole-archive"] if core else []
    command = [*compiler(), *words, *whole, *(["-rdynamic"] if core else []), "-lm", "-lpthread",
               "-o", asked.output or "a.out"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", env=_plain())
    sys.stderr.write(done.stderr)
    return _link_failed() if done.returncode else 0


def _link_failed() -> int:
    sys.stderr.write("mcc: error: linker command failed with exit code 1 (use -v to see invocation)\n")
    return 1


def _plain() -> dict[str, str]:
    return {**os.environ, "LC_ALL": "C"}


def main(words: list[str]) -> int:
    """The command; returns the exit status."""
    if words in (["--version"], ["-v"]):
        print(f"mcc version {VERSION} (a stand-in that builds for the CPU)")
        print("clang version 14.0.0\nTarget: x86_64-unknown-linux-gnu")
        return 0
    try:
        asked = parsed(words)
        if not asked.inputs:
            raise Refused("no input files")
        if asked.output and asked.mode in ("-c", "-E") and len(asked.inputs) > 1:
            raise Refused("cannot specify -o when generating multiple output files")
        with tempfile.TemporaryDirectory(prefix="mcc-out-") as work:
            objects: dict[int, Path] = {}
            status = 0
            for number, (path, given) in enumerate(asked.inputs):
                language = language_of(path, given)
                if language == "object":
                    if not Path(path).is_file():
                        raise Refused(f"no such file or directory: '{path}'")
                    objects[number] = Path(path)
                    continue
                if asked.mode == "-E":
                    out = Path(work) / "text" if asked.output in ("", "-") else Path(asked.output)
                elif asked.mode == "-c":
                    out = Path(asked.output or f"{Path(path).stem}.o")
                else:
                    out = Path(work) / f"{number}.o"
                out = out.absolute()
                if language == "musa":
                    made = compile_musa(asked, path, out)
                else:
                    made = compile_host(asked, path, language, out)
                if made == 0 and asked.mode == "-E" and asked.output in ("", "-"):
                    sys.stdout.write(out.read_text("utf-8", "replace"))
                status, objects[number] = status or made, out
            return status if status or asked.mode in ("-c", "-E") else link(asked, objects)
    except Refused as problem:
        print(f"mcc: error: {problem}", file=sys.stderr)
        return 1


def install(home: Path, lacking: Sequence[str] = ()) -> Path:
    """Make a MUSA_HOME with this compiler in a folder; returns the folder. Needs a host compiler. ``lacking`` are names
    that the headers of this SDK do not have."""
    from musify_ai import emulator
    from musify_ai.backends.emulated import Emulated
    from musify_ai.backends.toolchain import NO_COMPILER, Toolchain
    from musify_ai.emulator.headers import header_dirs

    toolchain = Toolchain.detect()
    if toolchain is None:
        raise FileNotFoundError(NO_COMPILER)
    home = home.absolute()
    package = Path(emulator.__file__).parents[1]
    own = home / "stand-in"
    shutil.copytree(package, own / "musify_ai", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(package.parent / "templates" / "harness", own / "templates" / "harness")
    shutil.copy(HERE, own / "mcc.py")
    backend = Emulated(toolchain)
    for folder in header_dirs("musa", backend.cache.root / "headers"):
        if folder != emulator.device_dir():
            shutil.copytree(folder, home / "include", dirs_exist_ok=True)
    if lacking:
        pattern = re.compile(r"\b(?:{})\b".format("|".join(map(re.escape, lacking))))
        for path in (home / "include").rglob("*.h"):
            path.write_text(pattern.sub("absent_from_this_sdk", path.read_text("utf-8")), "utf-8")
    (home / "lib").mkdir()
    core = [each for each in backend.core() if not each.stem.startswith("driver-")]
    subprocess.run(["ar", "rcs", home / "lib" / "libmusart.a", *core], check=True)
    for name in LIBRARIES:
        if name != "musart":
            (home / "lib" / f"lib{name}.a").write_bytes(b"!<arch>\n")
    (home / "bin").mkdir()
    python = system_python()
    program = home / "bin" / "mcc"
    program.write_text(f'#!/bin/sh\nexec "{python}" -I "{own / "mcc.py"}" "$@"\n')
    program.chmod(0o755)
    shutil.copy(program, home / "bin" / "clang++")
    return home


def system_python() -> str:
    """The system's Python where it is new enough, for that is what a sandbox shows; else this one, without its
    virtual environment."""
    for each in ("/usr/bin/python3.11", "/usr/bin/python3", "/usr/local/bin/python3"):
        if Path(each).is_file():
            asked = [each, "-I", "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
            if subprocess.run(asked, check=False).returncode == 0 and Path(each).resolve().is_relative_to("/usr"):
                return each
    return str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
