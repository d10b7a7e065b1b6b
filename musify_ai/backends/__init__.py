"""Ways to build and run one side of a check, and the limits they run under."""
