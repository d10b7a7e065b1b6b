"""tree-sitter and libclang, opened lazily by those who need a structure or a meaning."""
