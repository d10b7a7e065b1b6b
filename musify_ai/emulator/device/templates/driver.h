// The driver API: the part that asks what there is. Modules and contexts have no counterpart on a CPU.
typedef int @{CUdevice|MUdevice};
typedef unsigned long long @{CUdeviceptr|MUdeviceptr};
typedef ::emu::host::Stream* @{CUstream|MUstream};
typedef enum @{cudaError_enum|musaError_enum} {
  @{CUDA_SUCCESS|MUSA_SUCCESS} = 0,
  @{CUDA_ERROR_OUT_OF_MEMORY|MUSA_ERROR_OUT_OF_MEMORY} = 2,
  @{CUDA_ERROR_NO_DEVICE|MUSA_ERROR_NO_DEVICE} = 100,
  @{CUDA_ERROR_UNKNOWN|MUSA_ERROR_UNKNOWN} = 999
} @{CUresult|MUresult};
inline @{CUresult|MUresult} @{cuInit|muInit}(unsigned) { return @{CUDA_SUCCESS|MUSA_SUCCESS}; }
inline @{CUresult|MUresult} @{cuDriverGetVersion|muDriverGetVersion}(int* version) {
  *version = @RT@RT_VERSION;
  return @{CUDA_SUCCESS|MUSA_SUCCESS};
}
inline @{CUresult|MUresult} @{cuDeviceGetCount|muDeviceGetCount}(int* count) {
  *count = 1;
  return @{CUDA_SUCCESS|MUSA_SUCCESS};
}
inline @{CUresult|MUresult} @{cuDeviceGet|muDeviceGet}(@{CUdevice|MUdevice}* device, int ordinal) {
  if (ordinal != 0) return @{CUDA_ERROR_NO_DEVICE|MUSA_ERROR_NO_DEVICE};
  *device = 0;
  return @{CUDA_SUCCESS|MUSA_SUCCESS};
}
inline @{CUresult|MUresult} @{cuDeviceGetName|muDeviceGetName}(char* name, int length, @{CUdevice|MUdevice}) {
  snprintf(name, static_cast<size_t>(length), "%s", ::emu::model(MUSIFY_EMU_ARCH).name);
  return @{CUDA_SUCCESS|MUSA_SUCCESS};
}
