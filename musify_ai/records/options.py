"""What a run was asked to do, and the architectures that it can be asked for."""

from typing import NamedTuple


class Arch(NamedTuple):
    """A MUSA architecture: its macro value, the lanes of a warp, and the CUDA arch the original is run as."""

    name: str
    macro: int
    lanes: int
    cuda: str
    cuda_macro: int


# Warp width: 128 up to mp_22, 32 from mp_31 (muThrust's arch table; torch_musa's WARP_SIZE). The CUDA arch beside
# each is the one whose features the MUSA arch is compared with.
ARCHS: dict[str, Arch] = {
    "mp_21": Arch("mp_21", 210, 128, "sm_80", 800),
    "mp_22": Arch("mp_22", 220, 128, "sm_80", 800),
    "mp_31": Arch("mp_31", 310, 32, "sm_90", 900),
}


class Options(NamedTuple):
    """The choices that change what a run does; they are part of its output.

    ``seeds`` is the number of input seeds a kernel is run with. ``overlay`` is the path of what `sdk scan` found in
    an installed SDK, empty for none; ``rules`` are files of the project's own rules. ``direction`` is ``c2m``, or
    ``m2c`` for the names' way back. ``ptx_identity`` compares what nvcc makes of both sides besides. ``mutants`` asks
    of each equal kernel whether the check would have noticed; ``excused`` are mutants that mean the same, each as
    kernel, description and reason. ``includes`` are folders of the original that its files are compiled with, relative
    to it, ``defines`` macros as they stand after ``-D``. ``inputs`` is the path of a file of inputs,
    ``launches`` that of a launch log to learn them from. ``time_budget`` is the number of seconds after which no
    further kernel is checked; 0 sets no limit. ``backends`` are pairs of real backends that kernels are run by
    besides, ``remotes`` the machines that those are on. ``draw`` is where the seeds begin: another number gives other
    made inputs, which nobody can know who has not drawn it. ``pytorch`` is the way from Python to the GPU:
    ``native`` for torch_musa, ``shim`` for torchada. ``fresh`` checks anew what was checked before and has not changed.
    ``schedules`` are the orders of threads that kernels are run in, the usual ones where it is empty.
    ``executor`` is where files are translated: in processes of this machine (``local``), or by a cluster (``ray``).
    """

    style: str = "tokens"
    sdk: str = "5.2"
    archs: tuple[str, ...] = ("mp_22", "mp_31")
    unsafe_fixes: bool = False
    verify: bool = True
    seeds: int = 3
    jobs: int = 0
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: tuple[str, ...] = ()
    overlay: str = ""
    rules: tuple[str, ...] = ()
    direction: str = "c2m"
    mutants: bool = False
    ptx_identity: bool = False
    excused: tuple[tuple[str, str, str], ...] = ()
    includes: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    inputs: str = ""
    launches: str = ""
    time_budget: int = 0
    backends: tuple[str, ...] = ()
    remotes: tuple[str, ...] = ()
    draw: int = 0
    pytorch: str = "native"
    fresh: bool = False
    schedules: tuple[str, ...] = ()
    executor: str = "local"
