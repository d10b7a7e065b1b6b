// The random library's device functions.
#include "musify_emu/random.h"
@cuda
#define CURAND_KERNEL_H_
@end
@musa
// Nobody has published muRAND's sequences: that they are cuRAND's is taken on trust, and said.
inline void emu_trust_sequences(::emu::Site site) {
  static unsigned long long said = 0;
  if (said == ::emu::launch_epoch) return;
  said = ::emu::launch_epoch;
  ::emu::assume("murand-sequences", "muRAND's generators give cuRAND's sequences", site);
}
@end
typedef ::emu::random::Xorwow @{curandStateXORWOW_t|murandState_t};
@cuda
typedef ::emu::random::Xorwow curandStateXORWOW, curandState_t, curandState;
typedef ::emu::random::Mrg32k3a curandStateMRG32k3a, curandStateMRG32k3a_t;
@end
@musa
typedef ::emu::random::Xorwow murandState;
typedef ::emu::random::Mrg32k3a murandStateMRG32k3a_t;
typedef ::emu::random::Xorwow murandStateXORWOW_t;
@end
typedef ::emu::random::Philox @{cu|mu}randStatePhilox4_32_10, @{cu|mu}randStatePhilox4_32_10_t;

template <class G>
inline void @{cu|mu}rand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, G* state,
                              ::emu::Site site = ::emu::Site::here()) {
@musa
  emu_trust_sequences(site);
@end
  state->seed(seed);
  state->skip_subsequences(subsequence);
  state->skip(offset);
}
template <class G>
inline unsigned @{cu|mu}rand(G* state) { return state->next(); }
inline uint4 @{cu|mu}rand4(@{cu|mu}randStatePhilox4_32_10_t* state) { return state->next4(); }
template <class G>
inline float @{cu|mu}rand_uniform(G* state) { return ::emu::random::uniform(state); }
template <class G>
inline double @{cu|mu}rand_uniform_double(G* state) { return ::emu::random::uniform_double(state); }
inline float4 @{cu|mu}rand_uniform4(@{cu|mu}randStatePhilox4_32_10_t* state) { return ::emu::random::uniform4(state); }
inline double2 @{cu|mu}rand_uniform2_double(@{cu|mu}randStatePhilox4_32_10_t* state) {
  return ::emu::random::uniform2_double(state);
}
template <class G>
inline float @{cu|mu}rand_normal(G* state) { return ::emu::random::normal(state); }
template <class G>
inline float2 @{cu|mu}rand_normal2(G* state) { return ::emu::random::normal2(state); }
inline float4 @{cu|mu}rand_normal4(@{cu|mu}randStatePhilox4_32_10_t* state) { return ::emu::random::normal4(state); }
template <class G>
inline double @{cu|mu}rand_normal_double(G* state) { return ::emu::random::normal_double(state); }
template <class G>
inline double2 @{cu|mu}rand_normal2_double(G* state) { return ::emu::random::normal2_double(state); }
template <class G>
inline float @{cu|mu}rand_log_normal(G* state, float mean, float deviation) {
  return ::emu::random::log_normal(state, mean, deviation);
}
template <class G>
inline double @{cu|mu}rand_log_normal_double(G* state, double mean, double deviation) {
  return ::emu::random::log_normal_double(state, mean, deviation);
}
template <class G>
inline float2 @{cu|mu}rand_log_normal2(G* state, float mean, float deviation) {
  float2 v = ::emu::random::normal2(state);
  return make_float2(::expf(mean + deviation * v.x), ::expf(mean + deviation * v.y));
}
inline float4 @{cu|mu}rand_log_normal4(@{cu|mu}randStatePhilox4_32_10_t* state, float mean, float deviation) {
  float4 v = ::emu::random::normal4(state);
  return make_float4(::expf(mean + deviation * v.x), ::expf(mean + deviation * v.y), ::expf(mean + deviation * v.z),
                     ::expf(mean + deviation * v.w));
}
template <class G>
inline unsigned @{cu|mu}rand_poisson(G* state, double lambda) {
  return ::emu::random::poisson(state, lambda, "@{cu|mu}rand_poisson of a mean from 64 to 4000 is not emulated");
}
@cuda
template <class G>
inline void skipahead(unsigned long long n, G* state) { state->skip(n); }
inline void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) { state->skip_subsequences(n); }
inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) { state->skip_subsequences(n); }
inline void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t* state) { state->skip_sequences(n); }
inline void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t* state) { state->skip_subsequences(n); }
@end
