"""All gates in order, cheap ones first."""

from musify_ai.rewrite.gates import (
    again,
    bypass,
    construct,
    emptied,
    equality,
    forbidden,
    literals,
    names,
    region,
    signature,
    teeth,
    typed,
)
from musify_ai.rewrite.gates.protocol import Gate

GATES: tuple[Gate, ...] = (
    Gate("signature", signature.check),
    Gate("region", region.check),
    Gate("forbidden", forbidden.check),
    Gate("construct", construct.check),
    Gate("bypass", bypass.check),
    Gate("emptied", emptied.check),
    Gate("literals", literals.check),
    Gate("names", names.check),
    Gate("typed", typed.check, runs=True),
    Gate("equality", equality.check, runs=True),
    Gate("again", again.check, runs=True),
    Gate("teeth", teeth.check, runs=True),
)
