// Types of pointers to functions of the driver, as they are asked for by name. Of MUSA's only the header's name is
// published.
#include "@{cuda.h|musa.h}"
@cuda
#include <cstdint>
typedef CUresult (*PFN_cuTensorMapEncodeTiled_v12000)(
    CUtensorMap*, CUtensorMapDataType, uint32_t, void*, const uint64_t*, const uint64_t*, const uint32_t*,
    const uint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
typedef PFN_cuTensorMapEncodeTiled_v12000 PFN_cuTensorMapEncodeTiled;
@end
