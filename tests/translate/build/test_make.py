"""Makefiles: what the rules make of them together, and the reader."""

import shutil
import subprocess
from pathlib import Path

import pytest

from musify_ai.records import Options
from musify_ai.source import splice, undo
from musify_ai.translate import Translation, translate
from musify_ai.translate.build.make_values import expand
from musify_ai.translate.build.make_view import Makefile
from tests.growth import assert_in_proportion

_LINK = " -L$(or $(MUSA_HOME),/usr/local/musa)/lib -lmusart"


def migrated(src: str) -> tuple[str, Translation]:
    """A Makefile after its safe edits, which are undone exactly and leave nothing to a second run."""
    data = src.encode()
    translation = translate(data, "Makefile", Options())
    edits = [edit for edit in translation.edits if edit.safety == "safe"]
    output = splice(data, edits)
    assert undo(output, edits) == data
    again = translate(output, "Makefile", Options())
    assert [edit for edit in again.edits if edit.safety == "safe"] == []
    assert not [each for each in again.findings if each.code in ("MUS000", "MUS001")]
    return output.decode(), translation


def test_a_whole_makefile() -> None:
    output, translation = migrated(
        "CC = nvcc # the compiler\nARCH = sm_60\nsource = main.cu util.cu\nobj = $(source:.cu=.o)\n"
        "CFLAGS := -std=c++17 -Xcompiler -Wall -arch=$(ARCH) \\\n          -Xptxas -v\n"
        "ifeq ($(D),yes)\n  CFLAGS += -g -G\nendif\n"
        "main: $(obj) Makefile\n\t$(CC) $(CFLAGS) $(obj) -o $@ -lm\n"
        "%.o: %.cu Makefile\n\t@echo nvcc; \\\n\t$(CC) $(CFLAGS) -c $< -o $@\n"
        "clean:\n\trm -rf main $(obj)\n"
    )
    assert output == (
        "CC = mcc # the compiler\nARCH = mp_22 mp_31\nsource = main.cu util.cu\nobj = $(source:.cu=.o)\n"
        "CFLAGS := -std=c++17 -Wall $(addprefix --offload-arch=,$(ARCH)) \\\n          \n"
        "ifeq ($(D),yes)\n  CFLAGS += -g\nendif\n"
        f"main: $(obj) Makefile\n\t$(CC) $(CFLAGS) $(obj) -o $@ -lm{_LINK}\n"
        "%.o: %.cu Makefile\n\t@echo nvcc; \\\n\t$(CC) $(CFLAGS) -c -x musa $< -o $@\n"
        "clean:\n\trm -rf main $(obj)\n"
    )
    assert [(each.code, each.severity, each.name) for each in translation.findings] == [("MUS807", "note", "-G")]


@pytest.mark.skipif(shutil.which("make") is None, reason="no make to ask")
def test_make_reads_the_output_and_calls_mcc_as_it_wants_to_be_called(tmp_path: Path) -> None:
    output, _ = migrated(
        "NVCC := $(CUDA_HOME)/bin/nvcc\nSMS ?= 70 80\n"
        "$(foreach sm,$(SMS),$(eval GEN += -gencode arch=compute_$(sm),code=sm_$(sm)))\n"
        "HIGH := $(lastword $(sort $(SMS)))\nGEN += -gencode arch=compute_$(HIGH),code=compute_$(HIGH)\n"
        "SRC = a.cu b.cpp\nall: app tool\napp: a.cu b.o\n\t$(NVCC) $(GEN) -Xcompiler '-Wall -O2' $^ -o $@\n"
        "tool: $(SRC)\n\t$(NVCC) $(GEN) $(SRC) -o $@ -lcublas\nb.o: b.cpp\n\tg++ -c $<\n"
    )
    (tmp_path / "Makefile").write_text(output)
    for name in ("a.cu", "b.cpp"):
        (tmp_path / name).touch()
    ended = subprocess.run(["make", "-n", "MUSA_HOME=/sdk"], cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    lines = [" ".join(line.split()) for line in ended.stdout.splitlines()]
    archs = "--offload-arch=mp_22 --offload-arch=mp_31"
    link = "-L/sdk/lib -lmusart"
    assert f"/sdk/bin/mcc {archs} -Wall -O2 -x musa a.cu -x none b.o -o app {link}" in lines
    assert f"/sdk/bin/mcc {archs} -x musa a.cu -x none b.cpp -o tool -lmublas {link}" in lines


@pytest.mark.skipif(shutil.which("make") is None, reason="no make to ask")
def test_a_compiler_that_a_condition_chooses_is_handed_what_is_its_own(tmp_path: Path) -> None:
    output, _ = migrated(
        "SRCS = a.cpp\nifeq ($(GPU),1)\nCXX = nvcc\nCXXFLAGS = -O3 -arch=sm_80\nSRCS += k.cu\nelse\nCXX = g++\n"
        "CXXFLAGS = -O3 -fopenmp\nendif\nCC := $(if $(GPU),nvcc,cc)\nifdef GPU\nLD = nvcc\nendif\n"
        "all: app k.o one two\napp: $(SRCS)\n\t$(CXX) $(CXXFLAGS) -o $@ $(SRCS)\n"
        "%.o: %.cu\n\t$(CXX) $(CXXFLAGS) -c $< -o $@\none: b.o\n\t$(CC) b.o -o one\ntwo: ; $(LD) b.o -o two\n"
    )
    (tmp_path / "Makefile").write_text(output)
    for name in ("a.cpp", "k.cu", "b.o"):
        (tmp_path / name).touch()

    def commands(*given: str) -> list[str]:
        ended = subprocess.run(["make", "-n", "MUSA_HOME=/sdk", *given], cwd=tmp_path, capture_output=True, text=True)
        assert ended.returncode == 0, ended.stderr
        return [" ".join(line.split()) for line in ended.stdout.splitlines()]

    link, flags = "-L/sdk/lib -lmusart", "-O3 --offload-arch=mp_22 --offload-arch=mp_31"
    assert commands("GPU=1") == [
        f"mcc {flags} -o app -x musa k.cu -x none a.cpp {link}",
        f"mcc {flags} -c -x musa k.cu -o k.o",
        f"mcc b.o -o one {link}",
        f"mcc b.o -o two {link}",
    ]
    assert commands() == [
        "g++ -O3 -fopenmp -o app a.cpp", "g++ -O3 -fopenmp -c k.cu -o k.o", "cc b.o -o one", "ld b.o -o two",
    ]  # fmt: skip


def test_the_word_nvcc_is_the_compiler_where_it_is_run_or_looked_for() -> None:
    kept = (
        "ps | grep nvcc", "rm -f nvcc.log x.nvcc", "git log --grep nvcc", "sed -i 's/nvcc/clang/' x", "./a | tee nvcc",
        '(echo "nvcc not found"; exit 1)', "tool 'nvcc and more'", "cp nvcc there",
    )  # fmt: skip
    told = "".join(f"\t{each}\n" for each in kept)
    output, translation = migrated(f'CFLAGS = -DHOW=\'"-lineinfo -G"\' -DBY=\\"nvcc\\"\nall:\n{told}')
    assert output == f'CFLAGS = -DHOW=\'"-lineinfo -G"\' -DBY=\\"nvcc\\"\nall:\n{told}'
    assert [each.code for each in translation.findings].count("MUS812") == 9
    run = (
        "@which nvcc >x || exit 1", "if ! command -v nvcc; then exit 1; fi", "test -x `which nvcc` && nvcc -V",
        "time $(CUDA)/bin/nvcc -V", "X=1 nvcc -V; \"$(HERE)/bin/nvcc\" -V", "@echo go; $(Q)ccache nvcc -V",
        "bash -c 'nvcc -V'", "cd x && (nvcc -V)",
    )  # fmt: skip
    told = "".join(f"\t{each}\n" for each in run)
    assert migrated(f"all:\n{told}")[0] == f"all:\n{told}".replace("nvcc", "mcc")


def test_a_define_is_not_read_and_said() -> None:
    output, translation = migrated("define RULE\n$(1).o: $(1).cu\n\t$$(NVCC) -c $$< -o $$@\nendef\nNVCC = nvcc\n")
    assert output.endswith("NVCC = mcc\n")
    assert [each.code for each in translation.findings] == ["MUS810"]


def test_commands_of_other_compilers_stay() -> None:
    src = "CUDA_SRC = a.cu\nall:\n\tg++ -t x.cpp -G && tar -t a.cu\n\tclang -arch x86_64 -x cu.o\n"
    assert migrated(src)[0] == src


def test_inputs_of_every_kind() -> None:
    for before, after in [
        ("nvcc -c a.cu -o a.o", "mcc -c -x musa a.cu -o a.o"),
        ("nvcc a.cu b.cu c.o -o a -lcudart", "mcc -x musa a.cu b.cu -x none c.o -o a -lmusart"),
        ("nvcc -x cu a.cpp -c", "mcc -x musa a.cpp -c"),
        (
            "nvcc ${CUFILES} -c $(FLAGS)",
            "mcc -x musa $(filter %.cu,${CUFILES}) -x none $(filter-out %.cu,${CUFILES}) -c $(FLAGS)",
        ),
        ("nvcc --x cu a.c -c", "mcc -x musa a.c -c"),
        ("nvcc -dc a.cu", "mcc -rdc=true -c -x musa a.cu"),
        ("cd src && nvcc -c k.cu; ls", "cd src && mcc -c -x musa k.cu; ls"),
        ("nvcc --version", "mcc --version"),
        ("@echo nvcc; nvcc -c a.cu", "@echo nvcc; mcc -c -x musa a.cu"),
        ("nvcc a.o -o a $(UNKNOWN)", f"mcc a.o -o a $(UNKNOWN){_LINK}"),
        ("@$(NVCC) -ptx a.cu", "@$(NVCC) -ptx -x musa a.cu"),
    ]:
        output, _ = migrated(f"all:\n\t{before}\n")
        assert output == f"all:\n\t{after}\n", before


def test_an_arch_that_is_computed_is_replaced_by_the_targets_and_said() -> None:
    output, translation = migrated("ARCH := $(shell query)\nNVFLAGS = -arch=sm_$(ARCH)\n")
    assert output.endswith("NVFLAGS = --offload-arch=mp_22 --offload-arch=mp_31\n")
    assert [(f.code, f.severity) for f in translation.findings] == [("MUS808", "note")]


def test_what_is_left_is_said() -> None:
    for line, said in [
        ("F = -maxrregcount=32 # nvcc", "MUS807"),
        ("LIBS = -lcudnn", "MUS806"),
        ("X = tool --gpu sm_70", "MUS812"),
        ("CUFLAGS = -Xcompiler -Wl,-rpath,x", "MUS807"),
    ]:
        _, translation = migrated(line + "\n")
        assert said in {finding.code for finding in translation.findings}, line


def test_comments_and_what_is_printed_stay() -> None:
    src = (
        "# nvcc -arch=sm_70\nall: # CUDA_HOME\n\t@echo using nvcc; echo nvcc a.cu\n\t# nvcc a.cu\n"
        "$(info nvcc is slow)\n"
    )
    output, translation = migrated(src)
    assert output == src
    assert translation.findings == ()


def test_the_reader_tells_lines_apart() -> None:
    view = Makefile(
        b"A = 1 # c\nB:=x\\\n y\ndefine D\n\trecipe = no\nendef\nt u: p | q ; cmd\n\tr1\nifdef X\n\tr2\nendif\n"
        b"\tr3\nt: V += w\n-include z.mk\nodd\n"
    )
    assert [(line.kind, line.name) for line in view.lines] == [
        ("assign", "A"), ("assign", "B"), ("define", ""), ("define", ""), ("define", ""), ("rule", "t u"),
        ("recipe", ""), ("recipe", ""), ("directive", ""), ("recipe", ""), ("directive", ""), ("recipe", ""),
        ("assign", "V"), ("directive", ""), ("other", ""),
    ]  # fmt: skip
    assert view.values == {"A": ["1"], "B": ["x y"], "V": ["w"]}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$(S:.cu=.o)", "a.o b.c"),
        ("$(patsubst %.cu,o/%.o,$(S))", "o/a.o b.c"),
        ("$(filter %.cu,$(S)) $(filter-out %.cu,${S})", "a.cu b.c"),
        ("$(addprefix x/,$(notdir y/z.cu))", "x/z.cu"),
        ("$(basename $(S)).q", "a b.q"),
        ("$(subst a,e,$(S))", "e.cu b.c"),
        ("$(UNKNOWN) $@ $(shell ls *.cu)", "$(UNKNOWN) $@ $(shellls*.cu)"),
        ("$(S", "$(S"),
        ("$(L)", "$(L)"),
    ],
)
def test_values_are_worked_out(text: str, value: str) -> None:
    assert expand(text, {"S": ["a.cu b.c"]}) == value


def test_a_variable_that_holds_itself_ends() -> None:
    assert len(expand("$(A)", {"A": ["$(A) $(A)"]})) < 1_000_000


@pytest.mark.parametrize(
    "src", [b"\tnvcc\n", b"a: nvcc \\", b"$(", b"define x\nnvcc", b"\x00nvcc:\xff\n\tnvcc $(", b"A = $(nvcc"]
)
def test_broken_files_are_read_without_a_fault(src: bytes) -> None:
    translation = translate(src, "Makefile", Options())
    assert "MUS000" not in {finding.code for finding in translation.findings}
    assert undo(splice(src, translation.edits), translation.edits) == src


@pytest.mark.parametrize(
    "piece", [b"A += a.cu\n", b"\tnvcc a.cu b.o\n", b"x: y\n", b"\\\n", b"$(", b"A = $(A) -Xcompiler -g\n"]
)
def test_time_grows_with_size_and_no_faster(piece: bytes) -> None:
    def look(repeats: int) -> None:
        translate(b"all: nvcc\n\tnvcc $(A)\n" + piece * repeats, "Makefile", Options())

    assert_in_proportion(look, 300)


def test_what_the_shell_puts_in_comments_and_calls_of_makes_own() -> None:
    output, translation = migrated(
        "F = $(strip -O3 $(if $(D),-G -g,-lineinfo))\nall: k.cu\n\tfor f in $^; do nvcc $(F) $$f; done\n"
        "\tnvcc k.cu -lm # then link\n"
    )
    assert output == (
        "F = $(strip -O3 $(if $(D),-g,))\nall: k.cu\n"
        f"\tfor f in $^; do mcc $(F) $$f{_LINK}; done\n\tmcc -x musa k.cu -lm{_LINK} # then link\n"
    )
    assert [(each.code, each.name) for each in translation.findings] == [("MUS807", "-G"), ("MUS810", "$$f")]


def test_a_compiler_that_an_included_file_names_is_nvcc_under_another_name_too() -> None:
    head = "include config.mk\nCC = $(NVCC)\nDLINK = $(NVCC) -dlink\n"
    output, _ = migrated(f"{head}.cu.o: ; $(CC) -c $< -o $@\nd.o: a.o ; $(DLINK) a.o -o d.o\n")
    assert output == f"{head}.cu.o: ; $(CC) -c -x musa $< -o $@\nd.o: a.o ; $(DLINK) a.o -o d.o\n"
