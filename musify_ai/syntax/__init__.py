"""tree-sitter and libclang, each opened only when something asks for it."""
