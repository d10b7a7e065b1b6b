"""One module a command. The group in `main` imports a command's module when that command is run."""
