"""What kernels there are: spans, signatures, instantiations, launches, the code they reach.

``signatures.resolve``, ``closure.closure`` and ``callgraph.CallGraph`` are asked for where they are needed.
"""

from musify_ai.kernels.find import find_kernels
from musify_ai.kernels.functions import FunctionSpan, enclosing_functions, function_at
from musify_ai.kernels.launches import find_launches

__all__ = ["FunctionSpan", "enclosing_functions", "find_kernels", "find_launches", "function_at"]
