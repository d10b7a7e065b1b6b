"""Special registers of PTX as C++ expressions. A name that is not here is refused by name."""

_AXES = ("x", "y", "z")

SPECIAL: dict[str, str] = {
    **{f"%tid.{axis}": f"threadIdx.{axis}" for axis in _AXES},
    **{f"%ntid.{axis}": f"blockDim.{axis}" for axis in _AXES},
    **{f"%ctaid.{axis}": f"blockIdx.{axis}" for axis in _AXES},
    **{f"%nctaid.{axis}": f"gridDim.{axis}" for axis in _AXES},
    **{f"%lanemask_{part}": f"::emu::ptx::lanemask_{part}()" for part in ("eq", "lt", "le", "gt", "ge")},
    "%laneid": "::emu::ptx::lane_id()",
    "%warpid": "::emu::ptx::warp_id()",
    "%nwarpid": "::emu::ptx::warps_of_block()",
    # Blocks run one after another: on one multiprocessor, as far as anybody can tell.
    "%smid": "0u",
    "%nsmid": "::emu::ptx::multiprocessors()",
    "%gridid": "0u",
    "%clock": "uint32_t(::emu::ptx::clock_ticks())",
    "%clock_hi": "uint32_t(::emu::ptx::clock_ticks() >> 32)",
    "%globaltimer_lo": "uint32_t(::emu::ptx::clock_ticks())",
    "%globaltimer_hi": "uint32_t(::emu::ptx::clock_ticks() >> 32)",
    "WARP_SZ": "32u",
}

WIDE_SPECIAL: dict[str, str] = {
    "%clock64": "::emu::ptx::clock_ticks()",
    "%globaltimer": "::emu::ptx::clock_ticks()",
}
