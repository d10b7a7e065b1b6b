"""CMake files: what the rules make of them together."""

import pytest

from musify_ai.records import Options
from musify_ai.source import splice, undo
from musify_ai.translate import Translation, translate
from musify_ai.translate.build.cmake_view import CMakeFile
from musify_ai.translate.surroundings import Surroundings
from tests.growth import assert_in_proportion


def migrated(src: str, path: str = "CMakeLists.txt", *, called: tuple[str, ...] = ()) -> tuple[str, Translation]:
    """A file after its safe edits, which are undone exactly and leave nothing to a second run."""
    around = Surroundings(called_with_cuda=frozenset(called))
    data = src.encode("utf-8", "surrogateescape")
    translation = translate(data, path, Options(), around)
    edits = [edit for edit in translation.edits if edit.safety == "safe"]
    output = splice(data, edits)
    assert undo(output, edits) == data
    again = translate(output, path, Options(), around)
    assert [edit for edit in again.edits if edit.safety == "safe"] == []
    assert not [each for each in again.findings if each.code in ("MUS000", "MUS001")]
    return output.decode("utf-8", "surrogateescape"), translation


def codes(translation: Translation) -> list[str]:
    return sorted({finding.code for finding in translation.findings})


def test_a_whole_project() -> None:
    output, translation = migrated(
        "cmake_minimum_required(VERSION 3.18)\n"
        "project(app LANGUAGES CXX CUDA)\n"
        'set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -O3 -Xcompiler=-fPIC -lineinfo")\n'
        "find_package(CUDAToolkit REQUIRED)\n"
        "file(GLOB kernels src/*.cu)\n"
        "add_library(k STATIC ${kernels})\n"
        "target_link_libraries(k PUBLIC CUDA::cudart CUDA::cublas)\n"
        "add_executable(app main.cpp)\n"
        "target_link_libraries(app PRIVATE k)\n"
    )
    assert output.splitlines()[1:] == [
        "project(app LANGUAGES CXX)",
        'list(APPEND CMAKE_MODULE_PATH "$ENV{MUSA_HOME}/cmake" /usr/local/musa/cmake)',
        "find_package(MUSA REQUIRED)",
        "list(APPEND MUSA_MCC_FLAGS -O3 -fPIC)",
        "find_package(MUSAToolkit REQUIRED)",
        "file(GLOB kernels src/*.cu)",
        "if(NOT DEFINED MUSA_ARCHITECTURES)",
        "  set(MUSA_ARCHITECTURES 22 31)",
        "endif()",
        "foreach(arch IN LISTS MUSA_ARCHITECTURES)",
        "  list(APPEND MUSA_MCC_FLAGS --offload-arch=mp_${arch})",
        "endforeach()",
        "set(MUSA_LINK_LIBRARIES_KEYWORD PRIVATE)",
        "musa_add_library(k STATIC ${kernels})",
        "target_link_libraries(k PUBLIC MUSA::musart MUSA::mublas)",
        "add_executable(app main.cpp)",
        "target_link_libraries(app PRIVATE k)",
    ]
    assert translation.findings == ()


def test_two_ways_of_linking_in_one_file() -> None:
    output, _ = migrated(
        "add_executable(a a.cu)\ntarget_link_libraries(a m)\nadd_executable(b b.cu)\n"
        "target_link_libraries(b PRIVATE m)\nadd_executable(c c.cu)\ntarget_link_libraries(c m)\n"
    )
    assert output.startswith("musa_add_executable(a a.cu)\n")
    assert "set(MUSA_LINK_LIBRARIES_KEYWORD PRIVATE)\nmusa_add_executable(b b.cu)\n" in output
    assert 'set(MUSA_LINK_LIBRARIES_KEYWORD "")\nmusa_add_executable(c c.cu)\n' in output


def test_a_function_that_another_file_hands_a_source() -> None:
    src = (
        'function(add_bench)\n  cmake_parse_arguments(B "" NAME SOURCES ${ARGN})\n'
        "  add_executable(${B_NAME} ${B_SOURCES})\nendfunction()\n"
    )
    assert migrated(src)[0] == src
    assert "musa_add_executable(${B_NAME} ${B_SOURCES})" in migrated(src, called=("add_bench",))[0]


def test_a_source_that_comes_through_a_loop_and_a_function() -> None:
    output, _ = migrated(
        'function(add_case name src)\n  add_executable(${name} "${src}")\nendfunction()\n'
        "file(GLOB_RECURSE srcs RELATIVE d CONFIGURE_DEPENDS test_*.cu)\n"
        'foreach(src IN LISTS srcs)\n  add_case(a "${src}")\nendforeach()\n'
    )
    assert '  musa_add_executable(${name} "${src}")' in output


def test_lists_that_hold_no_cuda_source_stay() -> None:
    src = (
        "set(SRCS a.cpp)\nset(CUDA_NAME x)\nadd_library(l ${SRCS})\n"
        "add_library(i INTERFACE)\nadd_library(a::b ALIAS l)\n"
    )
    assert migrated(src)[0] == src


def test_options_move_into_the_call_unless_a_branch_stands_between() -> None:
    output, translation = migrated(
        "add_executable(a a.cu)\n"
        'target_compile_options(a PRIVATE -Wall "$<$<COMPILE_LANGUAGE:CUDA>:-DX=1;--use_fast_math>")\n'
        "if(D)\n  target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-DY>)\nendif()\n"
    )
    assert "musa_add_executable(a a.cu OPTIONS -DX=1 -ffast-math -fmusa-flush-denormals-to-zero)\n" in output
    assert "target_compile_options(a PRIVATE -Wall)\n" in output
    assert "$<$<COMPILE_LANGUAGE:CUDA>:-DY>" in output
    assert codes(translation) == ["MUS805", "MUS807"]


def test_what_has_no_place_is_said() -> None:
    for line, said in [
        ("set_target_properties(a PROPERTIES CUDA_SEPARABLE_COMPILATION ON)", "MUS805"),
        ("target_compile_options(a PRIVATE -O3)", "MUS805"),
        ("target_link_libraries(a PRIVATE CUDA::nvToolsExt)", "MUS806"),
        ("set_target_properties(a PROPERTIES CUDA_ARCHITECTURES native)", "MUS805"),
        ("set_source_files_properties(a.cu PROPERTIES COMPILE_OPTIONS -O0)", "MUS805"),
        ("find_path(H cuda_runtime.h)", None),
        ("find_path(H cudnn.h)", "MUS806"),
    ]:
        _, translation = migrated(f"add_executable(a a.cu)\n{line}\n")
        assert codes(translation) == ([said] if said else []), line


def test_a_property_that_is_off_goes() -> None:
    src = "set_target_properties(a PROPERTIES CUDA_SEPARABLE_COMPILATION OFF FOLDER x)\n"
    assert migrated(src)[0] == "set_target_properties(a PROPERTIES FOLDER x)\n"


def test_flags_of_all_shapes() -> None:
    for before, after in [
        ('string(APPEND CMAKE_CUDA_FLAGS " -O2")', "list(APPEND MUSA_MCC_FLAGS -O2)"),
        ("set(CUDA_NVCC_FLAGS ${CUDA_NVCC_FLAGS} -O2)", "list(APPEND MUSA_MCC_FLAGS -O2)"),
        ('set(CUDA_NVCC_FLAGS "-O2;-g")', "list(APPEND MUSA_MCC_FLAGS -O2;-g)"),
        (
            'set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -O2" PARENT_SCOPE)',
            'set(MUSA_MCC_FLAGS "${MUSA_MCC_FLAGS} -O2" PARENT_SCOPE)',
        ),
        ("list(APPEND CUDA_NVCC_FLAGS -Xcompiler -Wall -Xcompiler=-g,-O2)", "list(APPEND MUSA_MCC_FLAGS -Wall -g -O2)"),
    ]:
        assert migrated(before + "\n")[0] == after + "\n", before


def test_flags_that_are_set_anew_are_said() -> None:
    output, translation = migrated("set(CMAKE_CUDA_FLAGS -O2)\nset(CMAKE_CUDA_FLAGS -O3)\n")
    assert output == "list(APPEND MUSA_MCC_FLAGS -O2)\nlist(APPEND MUSA_MCC_FLAGS -O3)\n"
    assert codes(translation) == ["MUS807"]


def test_comments_strings_and_messages_stay() -> None:
    src = (
        "# nvcc and CUDA::cudart\n#[[ find_package(CUDA) ]]\n"
        'message(STATUS "CUDA::cublas with nvcc in /usr/local/cuda")\n'
        "set(X [==[ CUDA::cudart ]==])\nset(MY_CUDA_LIST a)\n"
    )
    output, translation = migrated(src)
    assert output == src
    assert translation.findings == ()


def test_comments_keep_the_tool_out() -> None:
    src = "find_package(CUDA) # musify: ignore\n# MUSIFY_EXCL_START\nenable_language(CUDA)\n# MUSIFY_EXCL_STOP\n"
    assert migrated(src)[0] == src


def test_a_file_that_is_ported_already_is_left() -> None:
    src = b"if(USE_MUSA)\n  find_package(MUSA)\nelse()\n  enable_language(CUDA)\n  add_library(a a.cu)\nendif()\n"
    translation = translate(src, "CMakeLists.txt", Options())
    assert translation.edits == ()
    assert "MUS001" in {finding.code for finding in translation.findings}


def test_line_ends_tabs_and_bytes_stay() -> None:
    src = b"\xef\xbb\xbfproject(a LANGUAGES CXX CUDA)\r\n# \xb0\r\nif(A)\r\n\tadd_executable(a a.cu)\r\nendif()"
    translation = translate(src, "CMakeLists.txt", Options())
    output = splice(src, translation.edits)
    assert output.count(b"\n") == output.count(b"\r\n")
    assert output.startswith(b"\xef\xbb\xbfproject(a LANGUAGES CXX)\r\n")
    assert output.endswith(b"\tmusa_add_executable(a a.cu)\r\nendif()")
    assert undo(output, translation.edits) == src


@pytest.mark.parametrize("archs", [("mp_21",), ("mp_22", "mp_31")])
def test_the_archs_are_those_of_the_run(archs: tuple[str, ...]) -> None:
    src = b'set(CMAKE_CUDA_ARCHITECTURES "70;80" CACHE STRING "")\n'
    output = splice(src, translate(src, "CMakeLists.txt", Options(archs=archs)).edits).decode()
    numbers = ";".join(arch[3:] for arch in archs)
    assert output == f'set(MUSA_ARCHITECTURES "{numbers}" CACHE STRING "")\n'


@pytest.mark.parametrize("src", [b"add_executable(a a.cu", b"if(", b")))", b'set(CUDA_NVCC_FLAGS "', b"\x00cuda(\xff"])
def test_broken_files_are_read_without_a_fault(src: bytes) -> None:
    translation = translate(src, "CMakeLists.txt", Options())
    assert "MUS000" not in {finding.code for finding in translation.findings}
    assert undo(splice(src, translation.edits), translation.edits) == src


@pytest.mark.parametrize(
    "piece", [b"set(a a.cu)\n", b"add_executable(a${x} a.cu)\n", b"if(x)\n", b"(", b"list(APPEND CUDA_NVCC_FLAGS -O)\n"]
)
def test_time_grows_with_size_and_no_faster(piece: bytes) -> None:
    def look(repeats: int) -> None:
        translate(b"find_package(CUDA)\n" + piece * repeats, "CMakeLists.txt", Options())

    assert_in_proportion(look, 300)


def test_commands_know_their_blocks_and_functions() -> None:
    view = CMakeFile(b'a()\nif(X)\n b()\nelse()\n c(d [[e]] "f g")\nendif()\nfunction(fn p)\n h()\nendfunction()\n')
    found = {command.name: command for command in view.commands}
    assert found["a"].path == ()
    assert found["b"].path != found["c"].path
    assert found["c"].texts == ["d", "", "f g"]
    assert found["h"].function == "fn"


_BRINGS = "project(app CXX)\noption(GPU off)\nif(GPU)\n  enable_language(CUDA)\n  set(HAVE 1)\n  list(APPEND S k.cu)\n"


@pytest.mark.parametrize(
    ("target", "becomes"),
    [
        ("add_library(l ${S})\n", "if(COMMAND musa_add_library)\n  musa_add_library(l ${S})\nelse()\n"
                                  "  add_library(l ${S})\nendif()\n"),
        ("if(GPU AND X)\n  add_library(l k.cu)\nendif()\n", "if(GPU AND X)\n  musa_add_library(l k.cu)\nendif()\n"),
        ("if(HAVE)\n  add_library(l k.cu)\nendif()\n", "if(HAVE)\n  musa_add_library(l k.cu)\nendif()\n"),
        ("if(NOT GPU)\n  add_library(l ${S})\nendif()\n", None),
        ("if(GPU)\nelse()\n  add_library(l ${S})\nendif()\n", None),
        (
            "if(GPU OR X)\n  add_library(l k.cu)\nendif()\n",
            "if(GPU OR X)\n  if(COMMAND musa_add_library)\n    musa_add_library(l k.cu)\n  else()\n"
            "    add_library(l k.cu)\n"
            "  endif()\nendif()\n",
        ),
        (
            "if(NOT (GPU AND X))\n  add_library(l k.cu)\nendif()\n",
            "if(NOT (GPU AND X))\n  if(COMMAND musa_add_library)\n    musa_add_library(l k.cu)\n  else()\n"
            "    add_library(l k.cu)\n  endif()\nendif()\n",
        ),
    ],
)  # fmt: skip
def test_a_target_is_musas_where_a_branch_brought_it(target: str, becomes: str | None) -> None:
    output, translation = migrated(f"{_BRINGS}endif()\n{target}")
    assert output.endswith("  list(APPEND S k.cu)\nendif()\n" + (target if becomes is None else becomes))
    assert translation.findings == ()


def test_an_else_of_the_enabling_if_is_without_cuda() -> None:
    output, _ = migrated(f"{_BRINGS}  add_library(l ${{S}})\nelse()\n  add_library(l ${{S}})\nendif()\n")
    assert output.endswith("  musa_add_library(l ${S})\nelse()\n  add_library(l ${S})\nendif()\n")
    output, _ = migrated(
        "find_package(CUDA)\nif(CUDA_FOUND)\n cuda_add_library(l k.cu)\nelse()\n add_library(l k.cu)\nendif()\n"
    )
    assert output.endswith("if(MUSA_FOUND)\n musa_add_library(l k.cu)\nelse()\n add_library(l k.cu)\nendif()\n")


def test_flags_over_several_lines_become_elements() -> None:
    output, _ = migrated('set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -DA=1 \\\n  -DB=2")\n')
    assert output.split() == ["list(APPEND", "MUSA_MCC_FLAGS", "-DA=1", "-DB=2)"]
    _, translation = migrated('set(CMAKE_CUDA_FLAGS "-DA=\\"x y\\" -DB=2")\n')
    assert [each.code for each in translation.findings] == ["MUS807"]


def test_flags_that_go_with_a_move_are_said_and_those_that_nobody_reads_stay() -> None:
    _, translation = migrated(
        "add_library(l k.cu)\ntarget_compile_options(l PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo;-G;-DX=1>)\n"
    )
    assert [each.name for each in translation.findings] == ["-lineinfo", "-G"]
    kept = "target_compile_options(l PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<CONFIG:Debug>>:-G;--use_fast_math>)\n"
    output, translation = migrated(f"add_library(l k.cu)\n{kept}")
    assert output == f"musa_add_library(l k.cu)\n{kept}"
    assert codes(translation) == ["MUS805"]


def test_an_arch_of_a_command_apart_does_not_stand_for_the_targets() -> None:
    output, _ = migrated("project(a CUDA)\nadd_custom_command(OUTPUT p COMMAND tool -arch=x)\nadd_library(l k.cu)\n")
    assert "list(APPEND MUSA_MCC_FLAGS --offload-arch=mp_${arch})" in output


def test_an_option_does_not_move_before_its_variable_is_set() -> None:
    kept = 'set(F "-O3;--ftz=true")\ntarget_compile_options(l PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:${F}>")\n'
    output, translation = migrated(f"add_library(l k.cu)\n{kept}")
    assert output == f"musa_add_library(l k.cu)\n{kept}"
    assert codes(translation) == ["MUS805"]
    output, _ = migrated(
        'set(CUDA_F "-O3;--use_fast_math")\nadd_library(l k.cu)\n'
        'target_compile_options(l PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:${CUDA_F}>")\n'
    )
    assert (
        output
        == 'set(CUDA_F "-O3;-ffast-math;-fmusa-flush-denormals-to-zero")\nmusa_add_library(l k.cu OPTIONS ${CUDA_F})\n'
    )


def test_sources_that_come_by_a_property_or_a_call_by_name_are_said() -> None:
    _, translation = migrated(
        "cmake_language(CALL add_executable q q.cu)\nset_property(TARGET q PROPERTY SOURCES r.cu)\n"
    )
    assert [(each.code, each.name) for each in translation.findings] == [("MUS805", "q.cu"), ("MUS805", "r.cu")]
    _, translation = migrated("add_library(l k.cu)\ntarget_compile_options(l PRIVATE ${F} ${WARNINGS})\n")
    assert [(each.code, each.name) for each in translation.findings] == [("MUS805", "${F}")]


def test_what_cmake_compiles_to_find_out_is_translated_or_told() -> None:
    output, translation = migrated(
        "project(a LANGUAGES CXX CUDA)\n"
        'check_cxx_source_compiles("\n#include <cuda_runtime.h>\nint main() { return cudaFree(0); }" RT)\n'
        'file(WRITE g.cu "#include <cuda_runtime.h>\\nint f() { return puts(\\"cudaFree\\"), cudaFree(0); }\\n")\n'
        "file(GENERATE OUTPUT h.cpp CONTENT [==[#include <cublas_v2.h>\ncublasHandle_t h;]==])\n"
        'check_symbol_exists(cudaMallocAsync "cuda_runtime.h" ASYNC)\n'
        'check_library_exists(cudart cudaMalloc "/usr/local/cuda/lib64" LIB)\n'
        'check_cxx_source_runs("#include <cuda.h>\\nint main() { return CUDA_VERSION < 11000; }" NEW)\n'
        'file(WRITE w.cu "__global__ void k(int *p) { p[threadIdx.x / warpSize] = 1; asm(\\"bar.sync 1;\\"); }")\n'
        'option(FAST "Use cudaMallocAsync; it is faster" ON)\n'
        'message(FATAL_ERROR "cudaFree(p); failed")\n'
        "check_compiler_flag(CUDA -x FLAG)\n"
        "try_run(R C ${CMAKE_BINARY_DIR}/x ${CMAKE_SOURCE_DIR}/detect.cu)\n"
        "try_compile(OK ${CMAKE_BINARY_DIR}/y ${CMAKE_SOURCE_DIR}/detect.cpp)\n"
    )
    lines = output.splitlines()
    assert 'int main() { return musaFree(0); }" RT)' in lines and "mublasHandle_t h;]==])" in lines
    (written,) = (line for line in lines if "g.cu" in line)
    assert "<musa_runtime.h>\\n" in written and 'puts(\\"cudaFree\\"), musaFree(0)' in written
    assert 'check_symbol_exists(musaMallocAsync "musa_runtime.h" ASYNC)' in lines
    assert 'check_library_exists(musart musaMalloc "/usr/local/musa/lib" LIB)' in lines
    assert 'message(FATAL_ERROR "cudaFree(p); failed")' in lines
    assert 'option(FAST "Use cudaMallocAsync; it is faster" ON)' in lines
    told = [finding.name for finding in translation.findings if finding.code == "MUS816"]
    assert told == ["check_compiler_flag", "try_run"]
    assert {"MUS204", "MUS301", "MUS407"} <= set(codes(translation))
