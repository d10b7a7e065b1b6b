// Devices, pools and virtual memory, without a CUDA or MUSA name.
#pragma once
#include "host.h"

namespace emu {
namespace host {

struct Pool;
Pool* usual_pool(int device);
Pool* pool_of_device(int device);
int choose_pool(int device, Pool*);
int make_pool(Pool** out, int device);
int free_pool(Pool*);
int pool_allocate(void** p, size_t bytes, Pool*, Stream*);  // no pool: that of the current device
int pool_free(void* p, Stream*, const char* caller, Site);
int trim_pool(Pool*, size_t at_least);
int pool_attribute(Pool*, int attribute, void* value, bool set);
int pool_access(Pool*, int device, int* flags, bool set);

constexpr size_t kGranularity = 2 << 20;  // as CUDA devices have it
int reserve_addresses(void** out, size_t bytes, size_t alignment);
int free_addresses(void* p, size_t bytes);
int make_piece(unsigned long long* out, size_t bytes);
int release_piece(unsigned long long piece);
int map_piece(void* p, size_t bytes, size_t offset, unsigned long long piece);
int unmap_piece(void* p, size_t bytes);
int allow_access(void* p, size_t bytes, int flags);

}  // namespace host
}  // namespace emu
