"""MUS4xx: inline PTX. Lowered to C++ where its meaning is plain, handed on by name where it is not, never dropped.

The form that lowering writes: one statement, ``d = EXPRESSION;``, where the ``asm`` stood, with the operands' own
source in it, each under a cast to the type of the instruction (``(unsigned int)(a)``); a block with temporaries only
where an operand would else be evaluated twice, or where there is more than one instruction.
"""
