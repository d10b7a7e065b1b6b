"""Equal but for its own names: one hash, and a rewrite that fits both."""

from musify_ai.rewrite.canonical import canonical, from_slots, in_slots

FIRST = b"""__device__ void copy16(void* to, const void* from) {
    unsigned shared = __cvta_generic_to_shared(to);  // the address
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(shared), "l"(from));
}"""
SECOND = b"""__device__ void load_tile(void *dst, const void *src)
{
    unsigned address = __cvta_generic_to_shared(dst);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(address), "l"(src));
}"""
SET = {"kind": "k", "archs": ("mp_22",), "sdk": "5.2", "versions": ("1",)}


def key(region, context=(), **changed):
    return canonical(region, context, **{**SET, **changed}).key


def test_own_names_blanks_and_comments_make_no_difference():
    assert key(FIRST) == key(SECOND)
    assert canonical(FIRST, (), **SET).names == ("copy16", "to", "from", "shared")
    assert canonical(SECOND, (), **SET).names == ("load_tile", "dst", "src", "address")


def test_everything_else_does():
    others = [
        key(FIRST.replace(b"16;", b"8;")),
        key(FIRST.replace(b"const void", b"void")),
        key(FIRST.replace(b"unsigned", b"int")),
        key(FIRST.replace(b"__cvta_generic_to_shared", b"__cvta_generic_to_global")),
        key(FIRST.replace(b'"l"(from)', b'"l"(to)')),
        key(FIRST, kind="other"),
        key(FIRST, archs=("mp_31",)),
        key(FIRST, sdk="4.3"),
        key(FIRST, versions=("2",)),
        key(FIRST, ("struct A { int b; };",)),
    ]
    assert len({key(FIRST), *others}) == 11


def test_two_names_are_never_one():
    assert key(b"int f(int a, int b) { return a; }") != key(b"int f(int a, int a) { return a; }")
    assert key(b"int f(int a, int b) { return a; }") != key(b"int f(int a, int b) { return b; }")


def test_names_of_the_api_are_no_slots():
    names = canonical(
        b"__global__ void k(float* y) { float v = min(y[threadIdx.x], 2.f); atomicAdd(y, v); }", (), **SET
    )
    assert set(names.names) == {"k", "y", "v"}


def test_names_of_the_context_are_slots_too():
    one = canonical(
        b"__device__ T f(Pair p) { return p.a * SCALE; }", ("struct Pair { T a; };", "#define SCALE 2"), **SET
    )
    two = canonical(
        b"__device__ T g(Two q) { return q.b * FACTOR; }", ("struct Two { T b; };", "#define FACTOR 2"), **SET
    )
    assert one.key == two.key


def test_a_rewrite_goes_from_one_to_the_other():
    one, two = canonical(FIRST, (), **SET), canonical(SECOND, (), **SET)
    kept = in_slots("{\n    int4 v = *(const int4*)from; // copy16 from to\n    *(int4*)to = v;\n}", one.names)
    assert "from;" not in kept and "\u27e62\u27e7" in kept
    assert (
        from_slots(kept, two.names) == "{\n    int4 v = *(const int4*)src; // copy16 from to\n    *(int4*)dst = v;\n}"
    )
    assert from_slots(kept, one.names).startswith("{\n    int4 v = *(const int4*)from;")


def test_a_name_that_the_rewrite_brought_gives_way_to_one_that_is_there():
    kept = in_slots("{ int src = 1; use(src, a); }", ("a",))
    assert from_slots(kept, ("src",)) == "{ int src_1 = 1; use(src_1, src); }"
    assert from_slots(kept, ("src",), taken=("src_1",)) == "{ int src_2 = 1; use(src_2, src); }"


def test_what_a_model_is_told_is_part_of_a_units_key(tmp_path):
    from musify_ai.rewrite.units import Example
    from musify_ai.rewrite.working import key_of
    from tests.rewrite.projects import project

    found, _ = project(tmp_path)
    (unit,) = found.units
    (sheet,) = unit.sheets
    others = [
        unit._replace(sheets=(sheet._replace(version=sheet.version + 1),)),
        unit._replace(sheets=(sheet._replace(facts=(*sheet.facts, "One more.")),)),
        unit._replace(examples=(*unit.examples, Example("a", "b"))),
    ]
    assert len({key_of(each).key for each in (unit, *others)}) == 4
