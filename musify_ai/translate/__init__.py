"""From bytes to edits and findings: the name tier, and one package a family of constructs."""
