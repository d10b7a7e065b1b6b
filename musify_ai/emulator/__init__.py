"""The CPU device: its C++ sources, the header sets made from manifests, the preparation of user sources."""
