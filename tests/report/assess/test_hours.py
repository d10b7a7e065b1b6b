"""Hours: a range that says what it counts, from the efforts of findings alone."""

import pytest

from musify_ai.records import Finding
from musify_ai.report.assess.hours import Hours, hours_of, rounded


def finding(effort: str, fingerprint: str, severity: str = "warning", code: str = "MUS301") -> Finding:
    plain = Finding(code, "warning", 0, 1, "m", fingerprint=fingerprint)
    return plain._replace(effort=effort, severity=severity)


def test_a_note_takes_nothing() -> None:
    assert hours_of([finding("days", "a", "note")], set()) == (0, 0)


def test_a_line_like_one_already_done_takes_a_tenth_at_the_low_end() -> None:
    known: set[tuple[str, str]] = set()
    assert hours_of([finding("hours", "a"), finding("hours", "a"), finding("hours", "b")], known) == (2.1, 12)
    assert hours_of([finding("hours", "a")], known) == pytest.approx((0.1, 4))  # in another file too
    assert hours_of([finding("hours", "a", code="MUS303")], known) == (1, 4)  # another code is other work


def test_what_takes_days_is_one_piece_of_work_over_a_file() -> None:
    known: set[tuple[str, str]] = set()
    many = [finding("days", str(number)) for number in range(11)]
    assert hours_of(many, known) == pytest.approx((8 + 10 * 0.8, 40 + 10 * 4))
    assert hours_of(many[:1], set()) == (8, 40)


@pytest.mark.parametrize(
    ("hours", "text"),
    [
        (Hours(), "none"), (Hours(0.1, 0.5), "0.1 to 0.5 hours"), (Hours(3.2, 12), "3 to 12 hours"),
        (Hours(8, 32), "1 to 4 days"), (Hours(428, 5500), "54 to 690 days"), (Hours(1, 1), "1 hour"),
        (Hours(9600, 98000), "1,200 to 12,000 days"),
    ],
)  # fmt: skip
def test_a_range_in_words(hours: Hours, text: str) -> None:
    assert hours.text == text


def test_no_more_digits_than_mean_something() -> None:
    assert [rounded(each) for each in (0.02, 0.44, 9.4, 35.4, 687, 1234)] == ["0.1", "0.4", "9", "35", "690", "1,200"]
