// The random library's host functions.
#include "musify_emu/random_host.h"
#define @{CU|MU}RAND_H_
@cuda
#define CURANDAPI
#define CURAND_VERSION 10309
#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 3
#define CURAND_VER_PATCH 9
@end
typedef enum @{curandStatus|emu_random_status} {
  @{CU|MU}RAND_STATUS_SUCCESS = 0,
  @{CU|MU}RAND_STATUS_VERSION_MISMATCH = 100,
  @{CU|MU}RAND_STATUS_NOT_INITIALIZED = 101,
  @{CU|MU}RAND_STATUS_ALLOCATION_FAILED = 102,
  @{CU|MU}RAND_STATUS_TYPE_ERROR = 103,
  @{CU|MU}RAND_STATUS_OUT_OF_RANGE = 104,
  @{CU|MU}RAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  @{CU|MU}RAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  @{CU|MU}RAND_STATUS_LAUNCH_FAILURE = 201,
  @{CU|MU}RAND_STATUS_PREEXISTING_FAILURE = 202,
  @{CU|MU}RAND_STATUS_INITIALIZATION_FAILED = 203,
  @{CU|MU}RAND_STATUS_ARCH_MISMATCH = 204,
  @{CU|MU}RAND_STATUS_INTERNAL_ERROR = 999
} @{cu|mu}randStatus_t;
typedef enum @{curandRngType|emu_random_type} {
  @{CU|MU}RAND_RNG_PSEUDO_DEFAULT = 100,
  @{CU|MU}RAND_RNG_PSEUDO_XORWOW = 101,
  @{CU|MU}RAND_RNG_PSEUDO_MRG32K3A = 121,
  @{CU|MU}RAND_RNG_PSEUDO_MTGP32 = 141,
  @{CU|MU}RAND_RNG_PSEUDO_MT19937 = 142,
  @{CU|MU}RAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  @{CU|MU}RAND_RNG_QUASI_DEFAULT = 200,
  @{CU|MU}RAND_RNG_QUASI_SOBOL32 = 201,
  @{CU|MU}RAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  @{CU|MU}RAND_RNG_QUASI_SOBOL64 = 203,
  @{CU|MU}RAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
} @{curandRngType_t|murandRngType_t};
typedef enum @{curandOrdering|emu_random_ordering} {
  @{CU|MU}RAND_ORDERING_PSEUDO_BEST = 100,
  @{CU|MU}RAND_ORDERING_PSEUDO_DEFAULT = 101,
  @{CU|MU}RAND_ORDERING_PSEUDO_SEEDED = 102,
  @{CU|MU}RAND_ORDERING_PSEUDO_LEGACY = 103,
@cuda
  CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
@end
  @{CU|MU}RAND_ORDERING_QUASI_DEFAULT = 201
} @{curandOrdering_t|murandOrdering_t};
typedef ::emu::random::Generator* @{cu|mu}randGenerator_t;

namespace emu {
namespace random {
inline @{cu|mu}randStatus_t create(Generator** g, @{cu|mu}randRngType_t type, bool on_host, const char* call, Site s) {
  int kind = type == @{CU|MU}RAND_RNG_PSEUDO_DEFAULT ? @{CU|MU}RAND_RNG_PSEUDO_XORWOW : type;
  if (kind != Generator::xorwow && kind != Generator::mrg32k3a && kind != Generator::philox)
    host::not_emulated(call, s);
@musa
  assume("murand-sequences", "muRAND's generators give cuRAND's sequences", s);
@end
  *g = new Generator(static_cast<Generator::Kind>(kind), on_host);
  return @{CU|MU}RAND_STATUS_SUCCESS;
}
inline @{cu|mu}randStatus_t ended(int error) {
  return error ? @{CU|MU}RAND_STATUS_LAUNCH_FAILURE : @{CU|MU}RAND_STATUS_SUCCESS;
}
#define EMU_RANDOM_NEEDS(G) \
  if (!G) return @{CU|MU}RAND_STATUS_NOT_INITIALIZED;
// Pairs are made, so that a length must be even, but for Philox.
inline bool odd(const Generator* g, size_t n) { return n % 2 && g->kind != Generator::philox; }
}  // namespace random
}  // namespace emu

inline @{cu|mu}randStatus_t @{cu|mu}randCreateGenerator(@{cu|mu}randGenerator_t* g, @{cu|mu}randRngType_t type, EMU_SITE) {
  return ::emu::random::create(g, type, false, "@{cu|mu}randCreateGenerator of this type", emu_site);
}
inline @{cu|mu}randStatus_t @{cu|mu}randCreateGeneratorHost(@{cu|mu}randGenerator_t* g, @{cu|mu}randRngType_t type, EMU_SITE) {
  return ::emu::random::create(g, type, true, "@{cu|mu}randCreateGeneratorHost of this type", emu_site);
}
inline @{cu|mu}randStatus_t @{cu|mu}randDestroyGenerator(@{cu|mu}randGenerator_t g) {
  EMU_RANDOM_NEEDS(g)
  delete g;
  return @{CU|MU}RAND_STATUS_SUCCESS;
}
inline @{cu|mu}randStatus_t @{cu|mu}randGetVersion(int* version) {
  if (!version) return @{CU|MU}RAND_STATUS_OUT_OF_RANGE;
  *version = 10309;
  return @{CU|MU}RAND_STATUS_SUCCESS;
}
inline @{cu|mu}randStatus_t @{cu|mu}randSetStream(@{cu|mu}randGenerator_t g, @rt@Stream_t stream) {
  EMU_RANDOM_NEEDS(g)
  ::emu::host::settle(g->stream);  // what it has still to make comes before what it makes there
  g->stream = stream;
  return @{CU|MU}RAND_STATUS_SUCCESS;
}
inline @{cu|mu}randStatus_t @{cu|mu}randSetPseudoRandomGeneratorSeed(@{cu|mu}randGenerator_t g, unsigned long long seed) {
  EMU_RANDOM_NEEDS(g)
  g->set_seed(seed);
  return @{CU|MU}RAND_STATUS_SUCCESS;
}
inline @{cu|mu}randStatus_t @{cu|mu}randSetGeneratorOffset(@{cu|mu}randGenerator_t g, unsigned long long offset) {
  EMU_RANDOM_NEEDS(g)
  g->set_offset(offset);
  return @{CU|MU}RAND_STATUS_SUCCESS;
}
inline @{cu|mu}randStatus_t @{cu|mu}randSetGeneratorOrdering(@{cu|mu}randGenerator_t g, @{cu|mu}randOrdering_t order, EMU_SITE) {
  EMU_RANDOM_NEEDS(g)
  if (order != @{CU|MU}RAND_ORDERING_PSEUDO_BEST && order != @{CU|MU}RAND_ORDERING_PSEUDO_DEFAULT &&
      (order != @{CU|MU}RAND_ORDERING_PSEUDO_LEGACY || g->kind == ::emu::random::Generator::mrg32k3a))  // of old from fewer streams
    ::emu::host::not_emulated("@{cu|mu}randSetGeneratorOrdering to this order", emu_site);
  return @{CU|MU}RAND_STATUS_SUCCESS;
}
inline @{cu|mu}randStatus_t @{cu|mu}randGenerateSeeds(@{cu|mu}randGenerator_t g) {
  EMU_RANDOM_NEEDS(g)
  return @{CU|MU}RAND_STATUS_SUCCESS;
}
inline @{cu|mu}randStatus_t @{cu|mu}randGenerate(@{cu|mu}randGenerator_t g, unsigned* out, size_t n, EMU_SITE) {
  EMU_RANDOM_NEEDS(g)
  return ::emu::random::ended(::emu::random::generate(g, "rand::Generate", emu_site, [=] { g->bits(out, n); }));
}
inline @{cu|mu}randStatus_t @{cu|mu}randGenerateLongLong(@{cu|mu}randGenerator_t g, unsigned long long*, size_t) {
  EMU_RANDOM_NEEDS(g)
  return @{CU|MU}RAND_STATUS_TYPE_ERROR;  // of the quasirandom generators of 64 bits only
}
inline @{cu|mu}randStatus_t @{cu|mu}randGenerateUniform(@{cu|mu}randGenerator_t g, float* out, size_t n, EMU_SITE) {
  EMU_RANDOM_NEEDS(g)
  return ::emu::random::ended(::emu::random::generate(g, "rand::GenerateUniform", emu_site, [=] { g->uniforms(out, n); }));
}
inline @{cu|mu}randStatus_t @{cu|mu}randGenerateUniformDouble(@{cu|mu}randGenerator_t g, double* out, size_t n, EMU_SITE) {
  EMU_RANDOM_NEEDS(g)
  return ::emu::random::ended(::emu::random::generate(g, "rand::GenerateUniformDouble", emu_site, [=] { g->uniforms(out, n); }));
}
inline @{cu|mu}randStatus_t @{cu|mu}randGenerateNormal(@{cu|mu}randGenerator_t g, float* out, size_t n, float mean, float deviation,
                                                       EMU_SITE) {
  EMU_RANDOM_NEEDS(g)
  if (::emu::random::odd(g, n)) return @{CU|MU}RAND_STATUS_LENGTH_NOT_MULTIPLE;
  return ::emu::random::ended(::emu::random::generate(g, "rand::GenerateNormal", emu_site, [=] {
    g->normals(out, n, [=](float x) { return mean + deviation * x; });
  }));
}
inline @{cu|mu}randStatus_t @{cu|mu}randGenerateNormalDouble(@{cu|mu}randGenerator_t g, double* out, size_t n, double mean,
                                                             double deviation, EMU_SITE) {
  EMU_RANDOM_NEEDS(g)
  if (::emu::random::odd(g, n)) return @{CU|MU}RAND_STATUS_LENGTH_NOT_MULTIPLE;
  return ::emu::random::ended(::emu::random::generate(g, "rand::GenerateNormalDouble", emu_site, [=] {
    g->normals(out, n, [=](double x) { return mean + deviation * x; });
  }));
}
inline @{cu|mu}randStatus_t @{cu|mu}randGenerateLogNormal(@{cu|mu}randGenerator_t g, float* out, size_t n, float mean, float deviation,
                                                          EMU_SITE) {
  EMU_RANDOM_NEEDS(g)
  if (::emu::random::odd(g, n)) return @{CU|MU}RAND_STATUS_LENGTH_NOT_MULTIPLE;
  return ::emu::random::ended(::emu::random::generate(g, "rand::GenerateLogNormal", emu_site, [=] {
    g->normals(out, n, [=](float x) { return ::expf(mean + deviation * x); });
  }));
}
inline @{cu|mu}randStatus_t @{cu|mu}randGenerateLogNormalDouble(@{cu|mu}randGenerator_t g, double* out, size_t n, double mean,
                                                                double deviation, EMU_SITE) {
  EMU_RANDOM_NEEDS(g)
  if (::emu::random::odd(g, n)) return @{CU|MU}RAND_STATUS_LENGTH_NOT_MULTIPLE;
  return ::emu::random::ended(::emu::random::generate(g, "rand::GenerateLogNormalDouble", emu_site, [=] {
    g->normals(out, n, [=](double x) { return ::exp(mean + deviation * x); });
  }));
}
inline @{cu|mu}randStatus_t @{cu|mu}randGeneratePoisson(@{cu|mu}randGenerator_t, unsigned*, size_t, double, EMU_SITE) {
  ::emu::host::not_emulated("@{cu|mu}randGeneratePoisson", emu_site);
}
