// The FFT library. A transform is not scaled, as both vendors have it.
#include "@{cu|mu}Complex.h"
#include "musify_emu/fft.h"
#define @{_CUFFT_H_|_MUFFT_H_}
@cuda
#define CUFFTAPI
#define CUFFT_VERSION 11303
@end
typedef enum @{cufftResult_t|emu_fft_result} {
  @{CU|MU}FFT_SUCCESS = 0,
  @{CU|MU}FFT_INVALID_PLAN = 1,
  @{CU|MU}FFT_ALLOC_FAILED = 2,
  @{CU|MU}FFT_INVALID_TYPE = 3,
  @{CU|MU}FFT_INVALID_VALUE = 4,
  @{CU|MU}FFT_INTERNAL_ERROR = 5,
  @{CU|MU}FFT_EXEC_FAILED = 6,
  @{CU|MU}FFT_SETUP_FAILED = 7,
  @{CU|MU}FFT_INVALID_SIZE = 8,
  @{CU|MU}FFT_UNALIGNED_DATA = 9,
  @{CU|MU}FFT_INCOMPLETE_PARAMETER_LIST = 10,
  @{CU|MU}FFT_INVALID_DEVICE = 11,
  @{CU|MU}FFT_PARSE_ERROR = 12,
  @{CU|MU}FFT_NO_WORKSPACE = 13,
  @{CU|MU}FFT_NOT_IMPLEMENTED = 14,
  @{CU|MU}FFT_LICENSE_ERROR = 15,
  @{CU|MU}FFT_NOT_SUPPORTED = 16
} @{cu|mu}fftResult;
@cuda
typedef cufftResult cufftResult_t;
@end
typedef enum @{cufftType_t|emu_fft_type} {
  @{CU|MU}FFT_R2C = 0x2a,
  @{CU|MU}FFT_C2R = 0x2c,
  @{CU|MU}FFT_C2C = 0x29,
  @{CU|MU}FFT_D2Z = 0x6a,
  @{CU|MU}FFT_Z2D = 0x6c,
  @{CU|MU}FFT_Z2Z = 0x69
} @{cu|mu}fftType;
#define @{CU|MU}FFT_FORWARD -1
#define @{CU|MU}FFT_INVERSE 1
typedef int @{cu|mu}fftHandle;
typedef float @{cu|mu}fftReal;
typedef double @{cu|mu}fftDoubleReal;
typedef @{cu|mu}Complex @{cu|mu}fftComplex;
typedef @{cu|mu}DoubleComplex @{cu|mu}fftDoubleComplex;
#define EMU_FFT_PLAN(HANDLE)                  \
  ::emu::fft::Plan* p = ::emu::fft::plan_of(HANDLE); \
  if (!p) return @{CU|MU}FFT_INVALID_PLAN;

inline @{cu|mu}fftResult @{cu|mu}fftCreate(@{cu|mu}fftHandle* plan) {
  *plan = ::emu::fft::new_plan();
  return @{CU|MU}FFT_SUCCESS;
}
inline @{cu|mu}fftResult @{cu|mu}fftMakePlanMany(@{cu|mu}fftHandle plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                                           int ostride, int odist, @{cu|mu}fftType type, int batch, size_t* size) {
  EMU_FFT_PLAN(plan)
  if (p->rank) return @{CU|MU}FFT_INVALID_PLAN;  // it has been made
  if (type != @{CU|MU}FFT_C2C && type != @{CU|MU}FFT_R2C && type != @{CU|MU}FFT_C2R && type != @{CU|MU}FFT_Z2Z && type != @{CU|MU}FFT_D2Z &&
      type != @{CU|MU}FFT_Z2D)
    return @{CU|MU}FFT_INVALID_TYPE;
  if (size) *size = 0;
  bool made = ::emu::fft::make(*p, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch);
  return made ? @{CU|MU}FFT_SUCCESS : @{CU|MU}FFT_INVALID_SIZE;
}
inline @{cu|mu}fftResult @{cu|mu}fftMakePlan1d(@{cu|mu}fftHandle plan, int nx, @{cu|mu}fftType type, int batch, size_t* size) {
  return @{cu|mu}fftMakePlanMany(plan, 1, &nx, nullptr, 1, 0, nullptr, 1, 0, type, batch, size);
}
inline @{cu|mu}fftResult @{cu|mu}fftMakePlan2d(@{cu|mu}fftHandle plan, int nx, int ny, @{cu|mu}fftType type, size_t* size) {
  int n[] = {nx, ny};
  return @{cu|mu}fftMakePlanMany(plan, 2, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, size);
}
inline @{cu|mu}fftResult @{cu|mu}fftMakePlan3d(@{cu|mu}fftHandle plan, int nx, int ny, int nz, @{cu|mu}fftType type, size_t* size) {
  int n[] = {nx, ny, nz};
  return @{cu|mu}fftMakePlanMany(plan, 3, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, size);
}
inline @{cu|mu}fftResult @{cu|mu}fftPlan1d(@{cu|mu}fftHandle* plan, int nx, @{cu|mu}fftType type, int batch) {
  *plan = ::emu::fft::new_plan();
  return @{cu|mu}fftMakePlan1d(*plan, nx, type, batch, nullptr);
}
inline @{cu|mu}fftResult @{cu|mu}fftPlan2d(@{cu|mu}fftHandle* plan, int nx, int ny, @{cu|mu}fftType type) {
  *plan = ::emu::fft::new_plan();
  return @{cu|mu}fftMakePlan2d(*plan, nx, ny, type, nullptr);
}
inline @{cu|mu}fftResult @{cu|mu}fftPlan3d(@{cu|mu}fftHandle* plan, int nx, int ny, int nz, @{cu|mu}fftType type) {
  *plan = ::emu::fft::new_plan();
  return @{cu|mu}fftMakePlan3d(*plan, nx, ny, nz, type, nullptr);
}
inline @{cu|mu}fftResult @{cu|mu}fftPlanMany(@{cu|mu}fftHandle* plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                                       int ostride, int odist, @{cu|mu}fftType type, int batch) {
  *plan = ::emu::fft::new_plan();
  return @{cu|mu}fftMakePlanMany(*plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, nullptr);
}
inline @{cu|mu}fftResult @{cu|mu}fftDestroy(@{cu|mu}fftHandle plan) {
  EMU_FFT_PLAN(plan)
  p->live = false;
  return @{CU|MU}FFT_SUCCESS;
}
inline @{cu|mu}fftResult @{cu|mu}fftSetStream(@{cu|mu}fftHandle plan, @rt@Stream_t stream) {
  EMU_FFT_PLAN(plan)
  p->stream = stream;
  return @{CU|MU}FFT_SUCCESS;
}
inline @{cu|mu}fftResult @{cu|mu}fftSetAutoAllocation(@{cu|mu}fftHandle plan, int) {
  EMU_FFT_PLAN(plan)
  return @{CU|MU}FFT_SUCCESS;
}
inline @{cu|mu}fftResult @{cu|mu}fftSetWorkArea(@{cu|mu}fftHandle plan, void*) {
  EMU_FFT_PLAN(plan)
  return @{CU|MU}FFT_SUCCESS;
}
inline @{cu|mu}fftResult @{cu|mu}fftGetSize(@{cu|mu}fftHandle plan, size_t* size) {
  EMU_FFT_PLAN(plan)
  if (!size) return @{CU|MU}FFT_INVALID_VALUE;
  *size = 0;
  return @{CU|MU}FFT_SUCCESS;
}
inline @{cu|mu}fftResult @{cu|mu}fftGetVersion(int* version) {
  if (!version) return @{CU|MU}FFT_INVALID_VALUE;
  *version = 11303;
  return @{CU|MU}FFT_SUCCESS;
}
#define EMU_FFT_EXEC(NAME, TYPE, FROM, TO, DIRECTION, PARAMETER)                                              \
  inline @{cu|mu}fftResult NAME(@{cu|mu}fftHandle plan, FROM* in, TO* out PARAMETER, EMU_SITE) {          \
    EMU_FFT_PLAN(plan)                                                                                        \
    if (!p->rank) return @{CU|MU}FFT_INVALID_PLAN;                                                         \
    if (p->type != TYPE) return @{CU|MU}FFT_INVALID_TYPE;                                                  \
    ::emu::fft::Plan copy = *p;                                                                              \
    int sign = DIRECTION;                                                                                     \
    if (!in || !out || (sign != 1 && sign != -1)) return @{CU|MU}FFT_INVALID_VALUE;                         \
    int error = ::emu::library_work("fft::Exec", p->stream, emu_site, [=] { ::emu::fft::run(copy, in, out, sign); }); \
    return error ? @{CU|MU}FFT_EXEC_FAILED : @{CU|MU}FFT_SUCCESS;                                       \
  }
#define EMU_FFT_DIRECTION , int direction
EMU_FFT_EXEC(@{cu|mu}fftExecC2C, @{CU|MU}FFT_C2C, @{cu|mu}fftComplex, @{cu|mu}fftComplex, direction, EMU_FFT_DIRECTION)
EMU_FFT_EXEC(@{cu|mu}fftExecZ2Z, @{CU|MU}FFT_Z2Z, @{cu|mu}fftDoubleComplex, @{cu|mu}fftDoubleComplex, direction, EMU_FFT_DIRECTION)
EMU_FFT_EXEC(@{cu|mu}fftExecR2C, @{CU|MU}FFT_R2C, @{cu|mu}fftReal, @{cu|mu}fftComplex, -1, )
EMU_FFT_EXEC(@{cu|mu}fftExecD2Z, @{CU|MU}FFT_D2Z, @{cu|mu}fftDoubleReal, @{cu|mu}fftDoubleComplex, -1, )
EMU_FFT_EXEC(@{cu|mu}fftExecC2R, @{CU|MU}FFT_C2R, @{cu|mu}fftComplex, @{cu|mu}fftReal, 1, )
EMU_FFT_EXEC(@{cu|mu}fftExecZ2D, @{CU|MU}FFT_Z2D, @{cu|mu}fftDoubleComplex, @{cu|mu}fftDoubleReal, 1, )
