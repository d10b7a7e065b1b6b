from musify_ai.verify.constants import MOST, constants_in


def test_numbers_of_a_text_each_once_without_those_that_say_little() -> None:
    code = b"if (x > 0.75f && x < 1e-5 && k == 0x1Fu || k == 1'000 || k == 010 || k == 1.0) y = 0.75f * a1[77ULL];"
    assert constants_in([code]) == ("float 0.75", "float 1e-05", "int 31", "int 1000", "int 8", "int 77")


def test_hexadecimal_floats_binaries_and_what_is_no_number() -> None:
    assert constants_in([b"0x1.8p3 0b101 5_km 0xffffffffffffffff 1e999"]) == ("float 12.0", "int 5")


def test_both_sides_are_read_and_only_so_many() -> None:
    assert constants_in([b"k == 7;", b"k == 9;"]) == ("int 7", "int 9")
    assert len(constants_in([b" ".join(b"%d" % n for n in range(3, 500))])) == MOST
