"""The LLM stage: what rules leave is put to a model, and an answer is taken only once it is through every gate.

The model can be replaced; the loop around it is what counts. Nothing of a model's answer is run outside a sandbox, and
nothing is applied that was not built, run and compared as any other translation is.
"""
