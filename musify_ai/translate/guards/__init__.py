"""MUS2xx: preprocessor guards on architectures, versions and compilers."""
