"""Which classes are told to the description, and what of them."""

from musify_ai.verify.patches import FileParts
from musify_ai.verify.roles import last_name, roles_of
from musify_ai.verify.told import specialisation, told_classes

TEXT = b"""
namespace OUTER {
struct Inner { float scale; int n; };
struct Base { Base() {} int rows; void *ws, *other; Inner inner; };
struct Params : public Base {
  int cols = 4, list[8];
  static constexpr int lanes = 32;
  int& alias;
  unsigned bit : 3;
#ifdef WITH
  float only_there;
#endif
  int area() const { return rows * cols; }
  using value = float;
};
struct Hidden : private Base { int seen; };
class Closed : public Base { int secret; };
template <class T> struct Box : Base { T held; };
struct Plain { int a, b; };
struct Lists { void* from[8]; int rows[8]; };
}
"""


def told(*types: str) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    found = told_classes({"a.h": FileParts("a.h", TEXT)}, types)
    return {each.name: (each.bases, each.members) for each in found}


def test_a_class_with_a_base_comes_with_it_and_the_base_first() -> None:
    found = told("const OUTER::Params&", "int")
    assert found == {
        "::OUTER::Base": ((), ("rows", "ws", "other", "inner")),
        "::OUTER::Params": (("Base",), ("cols", "list")),
    }
    assert list(found) == ["::OUTER::Base", "::OUTER::Params"]


def test_what_is_plain_private_or_a_template_is_not_told() -> None:
    assert told("OUTER::Plain", "Inner") == {}
    assert list(told("Hidden", "Closed", "Box<int>")) in ([], ["::OUTER::Base"])
    assert told("float*", "nothing") == {}
    assert told("Lists") == {"::OUTER::Lists": ((), ("from", "rows"))}


def test_the_line_of_cpp() -> None:
    (_, params) = told_classes({"a.h": FileParts("a.h", TEXT)}, ["Params"])
    text = specialisation(params)
    assert "Members<::OUTER::Params>" in text and "v.template base<Whole, typename Whole::Base>();" in text
    assert 'named<decltype(Whole::list)>(offsetof(Whole, list), "list")' in text and "\n" not in text


def test_members_have_the_roles_of_their_own_names() -> None:
    names = ["params.rows", "params.row_stride", "args.start.3", "p.0"]
    assert [each.role for each in roles_of(names)] == ["size", "stride", "start", "other"]
    assert [last_name(each) for each in names] == ["rows", "row_stride", "start", "p.0"]
