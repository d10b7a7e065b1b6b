"""The CPU device: its C++ sources, the header sets made from manifests, the preparation of user sources."""

from pathlib import Path


def device_dir() -> Path:
    """The folder of the device's C++ sources and headers."""
    return Path(__file__).with_name("device")


def core_sources() -> list[Path]:
    """The C++ files of the core, to be built once for each compiler (C++17, no include folders needed)."""
    return sorted((device_dir() / "src").glob("*.cpp"))
