"""Draw sites of real code to be labelled by reading: ``python -m benchmarks.draw_sites FAMILY N OWNER/NAME=PATH...``.

A site is a line that one of the family's wide patterns matches, comments and look-alikes included: the patterns are
far wider than any rule, so that what the rules miss is in the sample. Files are those of the checkouts with a CUDA word
in them. The order is by a hash of seed, repository, path and line; the draw goes round the kinds of patterns, and
within a kind round the repositories, with at most three sites of a file, so that rare constructs and small projects are
there. Lines that have a label already are passed over.

Prints each site with its surroundings. Every third file, by a hash of repository and path, belongs to the part that is
held out: its labels go to ``labels/held_out``, and no rule is ever changed after looking at how it fares there.
"""

import argparse
import hashlib
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

LABELS = Path(__file__).parent / "labels"
SUFFIXES = frozenset((".cu", ".cuh", ".h", ".hpp", ".hh", ".cpp", ".cc", ".cxx", ".c", ".inl"))
SEED = "sites of 2026"
A_FILE, SHOWN = 3, 170
_CUDA = re.compile(rb"__global__|__device__|__shared__|\bcuda[A-Z]\w+|\bcu[A-Z]\w+\(|cublas|cudnn|<cu\w+|nvcuda")

KINDS: dict[str, dict[str, str]] = {
    "guards": {
        "arch": r"__CUDA_ARCH",
        "version": r"(?:CUDA|CUDART|CUDNN|CUTLASS|THRUST|CUB|CCCL|NCCL)_VER|_VER(?:SION)?_MAJOR|"
        r"cuda_?[vV]ersion|CUDNN_M",
        "compiler": r"__CUDACC|__NVCC|__CUDA__|__clang__|__CUDA_[B-Z]",
        "capability": r"\bmajor\b|[cC]ompute_?[cC]ap|\bsm_?(?:version|arch)?\b|\bcc\b|[sS][mM]_?[789]0|"
        r"MULTI_?PROCESSOR|capability",
        "condition": r"^\s*#\s*(?:el)?if",
    },
    "warps": {
        "shuffle": r"shfl",
        "vote": r"ballot|activemask|__(?:any|all)|match_(?:any|all)|__reduce_|coalesced_threads",
        "width": r"[wW]arp_?[sS]ize|WARP_S|lanemask|THREADS_PER_WARP|ThreadsPerWarp",
        "thread": r"(?i:thread|block|tid|idx|warp|lane|nthr).*\b(?:32|31|0x1[fF]|0x20|5)[uU]?\b",
        "number": r"\b(?:32|31|0x1[fF]|0x20)[uU]?\b|>>=?\s*5\b|<<\s*5\b|\b16\s*;.*>>=\s*1|/\s*2;\s*\w+\s*>\s*0",
        "name": r"WARP|\bwarps?\b|[wW]arpId|lanes?\b|lane_?[iI]d|num_?[wW]arps|syncwarp|__ffs|__popc|0x[fF]{8}|[mM]ask",
        "group": r"tiled_partition|thread_block_tile|\bcg::|this_thread_block|labeled_partition",
    },
    "memory": {
        "order": r"threadfence|\bvolatile\b|_system\b|__syncthreads|memory_order|[bB]arrier",
        "shared": r"__shared__|[sS]haredMem|MaxDynamic|[cC]arveout|\bsmem_?(?:size|bytes)\w*",
        "launch": r"__launch_bounds__|Cooperative|[cC]luster|cudaLaunch|cuLaunch|grid_constant|Programmatic|"
        r"GridDepend|maxnreg|<<<",
        "copy": r"memcpy_async|pipeline|[tT]ensor_?[mM]ap|\btma|TMA|mbarrier|cp_async|this_grid|grid_group|"
        r"[gG]rid\w*\.sync",
        "host": r"Managed|Prefetch|MemAdvise|\bcuMem|HostAlloc|HostRegister|Mapped|MallocAsync|MemPool|"
        r"Symbol|IpcMem|PeerAccess",
        "image": r"\btex[123(<]|[tT]exture|\bsurf|cudaArray|ArrayToArray|ToArray",
        "runtime": r"Graph|ErrorString|ErrorName|StreamGetId|Occupancy|cudaLimit|SetLimit|cudaFuncSet|cudaDeviceSet",
        "matrix": r"\bwmma|nvcuda|mma_sync|\bclock(?:64)?\(|__nanosleep|__trap|\bassert\(",
    },
    "types": {
        "bf16": r"bfloat16|\bbf16|BFloat16|BF16",
        "fp8": r"[fF][pP][48]|[eE]4[mM]3|[eE]5[mM]2|[eE]2[mM]1|[eE]8[mM]0",
        "half": r"\bhalf2?\b|__half|\b__?h[a-z]+2?\(|\bh2?(?:exp|log|sqrt|rsqrt|sin|cos|rcp)\w*\(|[fF]loat16",
        "double": r"\bdouble[234]?\b|_f64|__d[a-z]+_r[nzud]",
        "wide": r"int128|uint128|__u?mul(?:64)?hi|\b128\b.*\bint|long double",
        "atomic": r"atomic(?:Add|Min|Max|CAS|Exch|Sub|And|Or|Xor)",
        "long": r"long long|int64_t",
        "packed": r"__v[a-z]+[24]\(|dp[24]a|byte_perm|__ldg|__ld[a-z]{2}\(|cu(?:Double|Float)?Complex|complex<",
    },
    "libraries": {
        "dnn": r"cudnn|CUDNN",
        "blas": r"cublas|CUBLAS",
        "solver": r"cusolver|cusparse|cufft|curand|CUSPARSE|CUSOLVER|CUFFT",
        "network": r"nccl|nvshmem",
        "tools": r"nvtx|nvToolsExt|nvrtc|nvml|cupti|cudaProfiler|\bnpp|\bNpp|nvjpeg|nvJitLink|cufile|nvcomp",
        "cub": r"\bcub::|<cub/",
        "thrust": r"thrust::|<thrust/",
        "cutlass": r"\bcutlass|\bcute\b|CUTE_|CUTLASS_",
        "libcudacxx": r"\bcuda::|<cuda/|<nv/|\bNV_IF",
        "torch": r"at::cuda|c10::cuda|is_cuda|kCUDA|CUDAGuard|DeviceType|CUDAStream|ATen/cuda",
    },
}


RARE: dict[str, dict[str, str]] = {
    "memory": {
        "system": r"_system\s*\(|memory_order_|thread_scope_",
        "limit": r"MaxDynamicSharedMemorySize|SHARED_SIZE_BYTES|sharedMemPerBlock|4[68]\s*\*\s*1024|49152|"
        r"MaxSharedMemory",
        "cluster": r"__cluster_dims__|this_cluster|cluster_group|ClusterDim|cluster_(?:sync|arrive)|map_shared_rank",
        "dependent": r"GridDependencySync|TriggerProgrammatic|ProgrammaticStream|griddepcontrol|launch_dependent",
        "tensor map": r"CUtensorMap|TensorMapEncode|__grid_constant__",
        "asynchronous": r"__pipeline_|memcpy_async|cuda::pipeline|cuda::barrier|make_pipeline",
        "grid": r"this_grid|grid_group|\bgrid\w*\.sync|LaunchCooperative|AttributeCooperative",
        "texture": r"tex[123]D\w*[<(]|cudaTextureObject_t|cudaBindTexture|texture<|surf[123]D|cudaCreateTexture",
        "graph": r"cudaGraph\w+\(|cudaStreamBeginCapture",
        "volatile": r"volatile\s+\w+[234]?\b|\bvolatile\b.*__shared__|__shared__.*volatile",
        "matrix": r"wmma::|nvcuda",
        "host": r"HostAllocMapped|RegisterMapped|DeviceMapHost|MallocAsync|MallocManaged|cuMem\w+\(",
        "text": r"GetError(?:String|Name)\s*\(.*==|strn?cmp.*GetError|GetErrorName",
    },
    "types": {
        "bf16": r"nv_bfloat16|bfloat162float|float2bfloat16|cuda_bf16",
        "fp8": r"nv_fp[468]|__nv_cvt_|cuda_fp[468]",
        "device double": r"__(?:global|device)__.*double|__shared__\s+double|double.*(?:threadIdx|atomic)|"
        r"\bdouble\s+\w+\s*=",
        "wide": r"__u?int128|\bu?int128_t",
        "signed atomic": r"atomic\w+\(.*(?:long|int64)|atomicCAS|atomicM(?:in|ax)",
        "half atomic": r"atomicAdd\(.*(?:half|bf16|bfloat|short|char|2\*)",
        "ldg": r"__ldg\s*\(",
        "half function": r"\bh2?(?:exp|log|sqrt|rsqrt|sin|cos|rcp|tanh)\w*\(|__hgt2_mask|__h\w+2_mask",
        "long double": r"long double",
    },
    "libraries": {
        "dnn": r"\bcudnn[A-Z]\w+\(|cudnn\w+_t\b|cudnn\.h|cudnn_frontend",
        "solver": r"cusolver\w+\(",
        "sparse": r"cusparse\w+\(",
        "blas": r"cublas\w+\(|CUBLAS_COMPUTE|CUBLAS_GEMM|CUBLAS_STATUS",
        "fft and random": r"cufft\w+\(|curand\w*\(|curandState",
        "marks": r"nvtx|nvToolsExt",
        "rtc": r"nvrtc",
        "nvml": r"nvml[A-Z]",
        "npp": r"\bnpp[is]\w+\(|<npp",
        "cub device": r"cub::Device|cub::\w+",
        "cutlass": r"include.*cutlass/|cutlass::(?:gemm|conv|epilogue|arch)",
        "cute": r"include.*cute/|cute::\w+",
        "libcudacxx": r"\bcuda::(?:std|atomic|barrier|pipeline|thread)|<cuda/|NV_(?:IF|DISPATCH|IS|PROVIDES)",
        "torch": r"at::cuda|c10::cuda|is_cuda|kCUDA|getCurrentCUDAStream",
    },
}
"""Constructs too rare for the wide patterns, drawn in a second round (``--rare``)."""


class Site(NamedTuple):
    """A line of a checkout, with the place that the draw gives it."""

    order: str
    repository: str
    path: str
    line: int


def is_held_out(repository: str, path: str) -> bool:
    """Whether a file belongs to the part that no rule is tuned on."""
    return int(_hash(repository, path)[:8], 16) % 3 == 0


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def labelled(family: str) -> set[tuple[str, str, int]]:
    """The sites of a family that have labels."""
    found = set()
    for table in (LABELS / f"{family}.tsv", LABELS / "held_out" / f"{family}.tsv"):
        for row in table.read_text().splitlines()[1:] if table.is_file() else ():
            repository, path, line, _ = row.split("\t")
            found.add((repository, path, int(line)))
    return found


def candidates(family: str, kinds: dict[str, str], roots: dict[str, Path]) -> dict[str, dict[str, list[Site]]]:
    """For each kind of pattern and each repository, the sites in the order of the draw. A line that several kinds match
    is the first one's."""
    patterns = {kind: re.compile(pattern) for kind, pattern in kinds.items()}
    known = labelled(family)
    found: dict[str, dict[str, list[Site]]] = {kind: defaultdict(list) for kind in patterns}
    for repository, root in roots.items():
        for file in sorted(root.rglob("*")):
            if file.suffix not in SUFFIXES or not file.is_file() or file.is_symlink():
                continue
            src = file.read_bytes()
            if len(src) > 2_000_000 or _CUDA.search(src) is None:
                continue
            path = file.relative_to(root).as_posix()
            for line, text in enumerate(src.decode("utf-8", "replace").split("\n"), 1):
                kind = next((kind for kind, pattern in patterns.items() if pattern.search(text)), None)
                if kind is not None and (repository, path, line) not in known:
                    order = _hash(SEED, family, repository, path, str(line))
                    found[kind][repository].append(Site(order, repository, path, line))
    for by_repository in found.values():
        for sites in by_repository.values():
            sites.sort()
    return found


def draw(family: str, kinds: dict[str, str], roots: dict[str, Path], wanted: int) -> Iterator[Site]:
    """The first sites of the draw."""
    found = candidates(family, kinds, roots)
    # Round the kinds, and within a kind round the repositories (in an order of its own for each kind).
    queues = []
    for kind, by_repository in found.items():
        names = sorted(by_repository, key=lambda name: _hash(SEED, kind, name))
        rounds = zip_longest(*(by_repository[name] for name in names))
        queues.append(site for each in rounds for site in each if site is not None)
    of_file: dict[tuple[str, str], int] = defaultdict(int)
    drawn = 0
    while queues and drawn < wanted:
        for queue in list(queues):
            site = next((each for each in queue if of_file[each.repository, each.path] < A_FILE), None)
            if site is None:
                queues.remove(queue)
            elif drawn < wanted:
                of_file[site.repository, site.path] += 1
                drawn += 1
                yield site


def shown(root: Path, site: Site, before: int = 3, after: int = 2) -> str:
    """A site with the lines around it, and the nearest line above that begins at the margin."""
    lines = (root / site.path).read_bytes().decode("utf-8", "replace").split("\n")
    first = max(site.line - 1 - before, 0)
    margin = next((i for i in range(first - 1, -1, -1) if lines[i][:1].strip() and lines[i][0] not in "#{}/*"), -1)
    rows = [f"   {margin + 1}@ {lines[margin][:SHOWN]}"] if margin >= 0 else []
    for index in range(first, min(site.line + after, len(lines))):
        mark = ">>" if index == site.line - 1 else "  "
        rows.append(f"{mark} {lines[index].rstrip()[:SHOWN]}")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family", choices=KINDS)
    parser.add_argument("wanted", type=int)
    parser.add_argument("checkouts", nargs="+", metavar="OWNER/NAME=PATH")
    parser.add_argument("--rare", action="store_true", help="by the patterns of rare constructs")
    arguments = parser.parse_args()
    kinds = (RARE if arguments.rare else KINDS)[arguments.family]
    roots = {name: Path(path) for name, _, path in (each.partition("=") for each in arguments.checkouts)}
    for number, site in enumerate(draw(arguments.family, kinds, roots, arguments.wanted)):
        part = "held out" if is_held_out(site.repository, site.path) else "tuned"
        print(f"#{number}\t{site.repository}\t{site.path}\t{site.line}\t{part}")
        print(shown(roots[site.repository], site))


if __name__ == "__main__":
    main()
