"""Which styles there are, and which of them go together with what else is asked for."""

from musify_ai.records import Options

STYLES = ("tokens", "rebrand", "alias", "dual", "semantic")

LEAVING_NAMES = frozenset(("alias", "dual", "semantic"))
"""The styles whose output still has the names it was given: something else makes them MUSA's."""

MAPPING_SINCE = "5.2"
"""The first SDK with a mapping compiler (MusaMapping; torch_musa issue 145 quotes the vendor's page)."""


def refusal(options: Options) -> str:
    """Why a run with these options makes no sense, and what to do instead; empty where it does."""
    if options.style == "semantic":
        from musify_ai.rules.sdks import number_of

        if number_of(options.sdk) < number_of(MAPPING_SINCE):
            return (
                f"style 'semantic' leaves names to the SDK's mapping compiler, which comes with SDK {MAPPING_SINCE} "
                f"and later; for SDK {options.sdk} take 'alias', which needs no such compiler"
            )
    if options.direction == "m2c" and options.style in ("dual", "semantic"):
        why = {
            "dual": "a tree in style 'dual' builds for CUDA as it is, so there is nothing to take back",
            "semantic": "the SDK's mapping compiler reads CUDA names and knows no way back",
        }
        return f"--direction m2c does not go with style {options.style!r}: {why[options.style]}; take tokens or alias"
    return ""
