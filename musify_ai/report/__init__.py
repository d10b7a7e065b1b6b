"""One module a format. Reads records; computes nothing."""
