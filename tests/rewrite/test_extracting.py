"""Code taken out of answers: twenty shapes of one right answer, and what is refused."""

import json

import pytest

from musify_ai.rewrite.extracting import MOST, Code, Wanted, extract
from musify_ai.rewrite.gates.protocol import Refused
from musify_ai.source import tokens

HEAD = "__device__ __forceinline__ float scale(const float* x, int i)"
REGION = HEAD + ' {\n    float r;\n    asm("x %0" : "=f"(r));\n    return r;\n}'
CODE = HEAD + " {\n    float r = x[i];\n    return r * 2.0f;\n}"
FILE = f"#include <musa_runtime.h>\n#define TWO 2\nstruct Pair {{ int a, b; }};\n{REGION}\n"
WANTED = Wanted("scale", HEAD, REGION, FILE)

SHAPES = {
    "fence with a language": f"```cuda\n{CODE}\n```",
    "fence without one": f"```\n{CODE}\n```",
    "fence with attributes": f'``` cpp title="x.cu"\n{CODE}\n```\n',
    "tildes": f"~~~c++\n{CODE}\n~~~",
    "longer fence": f"````cpp\n{CODE}\n````",
    "fence never closed": f"Here you are:\n```cpp\n{CODE}\n",
    "indented fence in a list": "1. The function:\n   ```cpp\n" + CODE + "\n   ```\n2. It's done.",
    "tags": f"<rewrite>\n{CODE}\n</rewrite>\n<notes>asm is gone</notes>",
    "tags around a fence": f"<rewrite>\n```cpp\n{CODE}\n```\n</rewrite>",
    "no fence": CODE,
    "prose around it": f"Sure! Here's the function, it doesn't use asm:\n\n{CODE}\n\nI hope that's what you're after.",
    "prose and fence": f"The asm isn't needed.\n```cpp\n{CODE}\n```\nIt computes `x[i] * 2`.",
    "thinking first": f"<think>Maybe ```cpp\n{REGION}\n``` no...</think>\n```cpp\n{CODE}\n```",
    "thinking without its opening": f"so I write that down\n</think>\n\n```cpp\n{CODE}\n```",
    "the question repeated": f"Before:\n```cpp\n{REGION}\n```\nAfter:\n```cpp\n{CODE}\n```",
    "the same twice": f"```cpp\n{CODE}\n```\nOnce more:\n```cpp\n{CODE.replace('    ', '  ')}\n```",
    "json": json.dumps({"code": CODE, "notes": "done"}),
    "json with a fence": json.dumps({"answer": f"```cpp\n{CODE}\n```"}),
    "crlf and comments": f"```cpp\r\n// scale\r\n{CODE.replace(chr(10), chr(13) + chr(10))}\r\n```\r\n",
    "head on several lines": (
        "```cpp\n__device__ __forceinline__\nfloat scale(\n  const float* x,\n  int i)" + CODE[len(HEAD) :] + "\n```"
    ),
    "only the body": "```cpp\n" + CODE[len(HEAD) + 1 :] + "\n```",
    "the file's lines around it": f"```cpp\n#include <musa_runtime.h>\nstruct Pair {{ int a, b; }};\n{CODE}\n```",
    "other fences beside it": f"```bash\nmcc -c x.cu\n```\n```cpp\n{CODE}\n```",
}  # fmt: skip


def shape(code):
    return [token.text for token in tokens(code.encode())]


@pytest.mark.parametrize("name", SHAPES)
def test_a_right_answer_is_found_in_any_shape(name):
    found = extract(SHAPES[name], WANTED)
    assert isinstance(found, Code), found
    assert shape(found.text) == shape(CODE)


def test_there_are_twenty_shapes_and_more():
    assert len(SHAPES) >= 20


def refused(answer, failure="extract"):
    found = extract(answer, WANTED)
    assert isinstance(found, Refused) and found.failure == failure, found
    return found.reason


def test_two_versions_are_refused():
    assert "2 different" in refused(f"```\n{CODE}\n```\nor\n```\n{CODE.replace('2.0f', '3.0f')}\n```")


def test_no_definition_is_refused():
    for answer in ("", "I cannot do that.", "```cpp\nfloat other() { return 1; }\n```", "```cpp\nscale(x, 1);\n```",
                   f"```cpp\n{HEAD};\n```", f"```cpp\n{CODE[:-1]}", "{}", "```\n```"):  # fmt: skip
        assert "no definition of scale" in refused(answer), answer


def test_an_answer_that_never_ends_its_thinking_is_refused():
    assert "thinking" in refused(f"<think>well\n```cpp\n{CODE}\n```")


def test_a_megabyte_is_not_looked_at():
    assert str(MOST) in refused(f"```cpp\n{CODE}\n```" + "x" * 1_000_000)


def test_control_characters_in_code_are_refused_and_outside_of_it_do_no_harm():
    for character, name in (("\x1b[2J", "U+001B"), ("\u202e", "U+202E"), ("\0", "U+0000")):
        hidden = CODE.replace("2.0f", f"2.0f /* {character} */")
        assert name in refused(f"```cpp\n{hidden}\n```")
    found = extract(f"\x1b[32mHere:\x1b[0m\n```cpp\n{CODE}\n```\n\x1b[0m", WANTED)
    assert isinstance(found, Code) and shape(found.text) == shape(CODE)


@pytest.mark.parametrize(
    "extra",
    ["#include <cstdlib>", "__device__ float helper(float a) { return a; }", "#define float double", "int global;",
     "__global__ void other(float* y) { y[0] = 0; }", "namespace { int n; }"],
)  # fmt: skip
def test_code_that_would_have_to_go_elsewhere_is_refused(extra):
    assert "would go elsewhere" in refused(f"```cpp\n{extra}\n{CODE}\n```", "forbidden")
    assert "would go elsewhere" in refused(f"```cpp\n{CODE}\n{extra}\n```", "forbidden")


def test_another_head_is_taken_out_for_the_gate_to_refuse():
    other = CODE.replace("int i)", "long i)")
    found = extract(f"```cpp\n#include <musa_runtime.h>\n{other}\n```", WANTED)
    assert isinstance(found, Code) and shape(found.text) == shape(other)
