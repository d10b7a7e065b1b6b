"""Ways to build and run one side of a comparison, and the limits that such runs are held to."""
