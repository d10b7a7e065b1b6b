"""Which kernels there are: spans, signatures, instantiations, launches, call graph, closure."""
