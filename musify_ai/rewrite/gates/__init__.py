"""What an answer must get through: one module a gate, each with one function ``check(candidate)``.

A gate looks at one thing and knows nothing of the others. `musify_ai.rewrite.gates.sequence` has them in order, cheap
ones first; the first refusal ends the walk.
"""
