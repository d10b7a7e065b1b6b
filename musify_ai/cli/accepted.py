"""A run's findings without those that its baseline accepts."""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from musify_ai.cli.choices import refuse_vain
from musify_ai.cli.config import settings_for
from musify_ai.cli.loudness import say
from musify_ai.project.running import Outcome

if TYPE_CHECKING:
    from musify_ai.project.baseline import Known, Named
    from musify_ai.project.triage import Triage


class Accepted(NamedTuple):
    """Findings that are known of, and the folder that their paths are relative to; None where they are a run's own."""

    known: "Known"
    folder: Path | None = None

    def named(self, base: Path | None) -> "Named":
        """What they call the files of a run, whose paths are relative to ``base``."""
        from musify_ai.project.baseline import named_from

        return str if self.folder is None else named_from(self.folder, base)


def accepted_from(place: Path, given: str | None, fail_on: tuple[str, ...]) -> Accepted | None:
    """The findings of the baseline that the command line names, else the settings of a place; None without any.

    Read before anything is done: `Refused` for a baseline that cannot be read. ``--fail-on new`` is a usage error
    where there is none, for without a baseline nothing is new.
    """
    baseline = str(settings_for(place).get("baseline", "")) if given is None else given
    if not baseline:
        refuse_vain(fail_on, ("new",), "without --baseline FILE or --since REV nothing is new against anything")
        return None
    from musify_ai.project.baseline import read_baseline

    return Accepted(read_baseline(Path(baseline)), Path(baseline).parent)


def since_from(place: Path, given: str | None, baseline: str | None) -> str:
    """The revision that findings are compared with: that of the command line, else of the settings of a place, else
    none. A usage error where the command line names a baseline too: one finding would be taken out twice."""
    if given is not None and baseline is not None:
        raise click.UsageError("--since and --baseline both say what is known; give one of them")
    if given is None and baseline is not None:
        return ""
    return str(settings_for(place).get("since", "")) if given is None else given


def without_accepted(outcome: Outcome, known: Accepted | None, source: Path | None = None, where: str = "") -> Outcome:
    """The run without accepted findings, and a word about them on stderr; the run itself where none are.

    ``source`` is what the run's paths are relative to, where that is not the folder we stand in. ``where`` says where
    the known ones are, if not in a baseline file.
    """
    if known is None:
        return outcome
    from musify_ai.project.baseline import without_known

    compared = without_known(outcome.run, known.known, known.named(_folder(source)))
    be = "is" if compared.gone == 1 else "are"
    gone = f"; {compared.gone} that it holds {be} gone: write it anew with --write-baseline" if compared.gone else ""
    if not where and (compared.known or compared.gone):
        say(f"{_findings(compared.known)} in the baseline and left out{gone}")
    elif where and compared.known:
        one = compared.known == 1
        told = where.replace("were", "was", 1) if one else where
        say(f"{compared.known} finding{'' if one else 's'} {told} and {'is' if one else 'are'} left out")
    return outcome._replace(run=compared.run)


def triage_of(place: Path, base: Path | None = None) -> "Triage | None":
    """What persons have decided of a place's findings; None where no file of decisions holds for it. ``base`` is what
    the run's paths are relative to, where that is not the folder we stand in. `Refused` for a file that is none."""
    from musify_ai.project.triage import find_triage, read_triage

    file = find_triage(place)
    return None if file is None else read_triage(file, base)


def with_decisions(outcome: Outcome, triage: "Triage | None") -> Outcome:
    """The run with what persons have decided of its findings, which every report and exit status then heeds."""
    if triage is None:
        return outcome
    from musify_ai.project.triage import decided

    return outcome._replace(run=decided(outcome.run, triage))


def with_baseline(outcome: Outcome, known: Accepted | None, source: Path) -> Outcome:
    """The run with those findings marked that its baseline holds and of which nothing else was decided."""
    if known is None:
        return outcome
    from musify_ai.project.baseline import without_known
    from musify_ai.records import Decided

    left = without_known(outcome.run, known.known, known.named(_folder(source))).run
    mark = Decided("baseline", reason="it is in the baseline")
    files = []
    for before, after in zip(outcome.run.files, left.files, strict=True):
        new = set(after.findings)
        findings = (each if each in new or each.decided else each._replace(decided=mark) for each in before.findings)
        files.append(before._replace(findings=tuple(findings)))
    return outcome._replace(run=outcome.run._replace(files=tuple(files)))


def _findings(number: int) -> str:
    return "1 finding is" if number == 1 else f"{number} findings are"


def _folder(source: Path | None) -> Path | None:
    return source if source is None or source.is_dir() else source.parent
