// Random sequences: known answers. The numbers of XORWOW, MRG32k3a and Philox for seed 1234 are those that NVIDIA's
// libcurand 10.3.10 gives from its host generators; Philox's two blocks are among the known answers of Random123.
#ifdef __MUSACC__
#include <murand.h>
#include <murand_kernel.h>
#define RAND(name) murand##name
#define RAND_(name) MURAND##name
#else
#include <curand.h>
#include <curand_kernel.h>
#define RAND(name) curand##name
#define RAND_(name) CURAND##name
#endif

#include "check.h"

using std::vector;
using Philox = RAND(StatePhilox4_32_10_t);
using Xorwow = RAND(StateXORWOW_t);
using Mrg = RAND(StateMRG32k3a_t);

// Eight numbers of three subsequences.
template <class G>
__global__ void sequences(unsigned* out) {
  G state;
  RAND(_init)(1234, threadIdx.x, 0, &state);
  for (int i = 0; i < 8; i++) out[threadIdx.x * 8 + i] = RAND()(&state);
}
// The same by an offset and one at a time.
template <class G>
__global__ void skips(unsigned* out, unsigned long long offset) {
  G walked, jumped;
  RAND(_init)(99, 7, 0, &walked);
  RAND(_init)(99, 7, offset, &jumped);
  for (unsigned long long i = 0; i < offset; i++) RAND()(&walked);
  for (int i = 0; i < 6; i++) out[i] = RAND()(&walked) == RAND()(&jumped);
}
template <class G>
__global__ void distributions(double* out) {
  G a, b, c, d;
  RAND(_init)(1234, 0, 0, &a);
  b = c = d = a;
  out[0] = RAND(_uniform)(&a);
  out[1] = RAND(_uniform_double)(&b);
  out[2] = RAND(_normal)(&c);
  out[3] = RAND(_normal)(&c);  // the other of the pair
  out[4] = RAND(_normal_double)(&d);
  out[5] = RAND(_normal_double)(&d);
  RAND(_init)(1234, 0, 0, &a);
  b = c = a;
  float x = RAND(_normal)(&b);
  out[6] = std::fabs(RAND(_log_normal)(&a, 1, 0.5f) - expf(1 + 0.5f * x)) < 1e-6;
  unsigned k = 0;  // Knuth: as many uniforms as keep exp(lambda) times their product above 1
  for (float p = expf(3.0f); (p *= RAND(_uniform)(&c)) > 1; ) k++;
  RAND(_init)(1234, 0, 0, &a);
  out[7] = RAND(_poisson)(&a, 3.0) == k;
}
__global__ void four_wide(double* out) {
  Philox a, b, c, d;
  RAND(_init)(1234, 0, 0, &a);
  b = c = d = a;
  uint4 bits = RAND(4)(&a);
  float4 uniform = RAND(_uniform4)(&b), normal = RAND(_normal4)(&c);
  double2 two = RAND(_uniform2_double)(&d);
  double values[] = {double(bits.x), double(bits.w), uniform.y, normal.x, normal.w, two.x, two.y};
  for (int i = 0; i < 7; i++) out[i] = values[i];
  RAND()(&a);  // from here on across two blocks
  b = a;
  bits = RAND(4)(&a);
  bool same = true;
  for (int i = 0; i < 4; i++) same = same && RAND()(&b) == (&bits.x)[i];
  out[7] = same;
}

// Those that give two at once against those that give one; and what is made of normal numbers.
template <class G>
__global__ void at_once(float* out) {
  G a, b, c, d, e, f;
  RAND(_init)(77, 3, 5, &a);
  b = c = d = e = f = a;
  const float2 pair = RAND(_normal2)(&a), logs = RAND(_log_normal2)(&c, 1, 0.5f);
  const float x = RAND(_normal)(&b), y = RAND(_normal)(&b);
  out[0] = pair.x == x && pair.y == y && x != y;
  out[1] = std::fabs(logf(logs.x) - (1 + 0.5f * x)) < 1e-5f && std::fabs(logf(logs.y) - (1 + 0.5f * y)) < 1e-5f;
  const double2 wide = RAND(_normal2_double)(&d);
  const double u = RAND(_normal_double)(&e), v = RAND(_normal_double)(&e);
  out[2] = wide.x == u && wide.y == v && u != v;
  out[3] = std::fabs(log(RAND(_log_normal_double)(&f, -2, 3)) - (-2 + 3 * u)) < 1e-12;
}
__global__ void four_at_once(float* out) {
  Philox a, b;
  RAND(_init)(77, 3, 8, &a);
  b = a;
  const float4 normal = RAND(_normal4)(&a), logs = RAND(_log_normal4)(&b, 1, 0.5f);
  for (int i = 0; i < 4; i++) out[i] = std::fabs(logf((&logs.x)[i]) - (1 + 0.5f * (&normal.x)[i])) < 1e-5f && (&normal.x)[i] != (&normal.x)[(i + 1) % 4];
}
template <class G>
void pairs(const char* name) {
  Buffer<float> out(4);
  LAUNCH(at_once<G>, 1, 1, 0, (float*)out);
  check_all(name, out.read(), vector<float>{1, 1, 1, 1});
}

struct Known {
  RAND(RngType_t) type;
  const char* name;
  size_t streams;             // after so many results the first stream has its second turn
  unsigned first[4], second;  // results 0 to 3, and the first stream's next
  float uniform;              // result 0
  double uniform_double;
  float normal[3];            // results 0 to 2
  double normal_double[3];
};

void host(const Known& known) {
  char name[120];
  auto about = [&](const char* what) {
    snprintf(name, sizeof name, "%s host: %s", known.name, what);
    return name;
  };
  RAND(Generator_t) g;
  RAND(CreateGenerator)(&g, known.type);
  auto restart = [&] {
    RAND(SetPseudoRandomGeneratorSeed)(g, 1234);
    RAND(SetGeneratorOffset)(g, 0);
  };
  restart();
  size_t n = known.streams + 4;
  Buffer<unsigned> bits(n);
  Buffer<float> floats(8);
  Buffer<double> doubles(8);
  RAND(Generate)(g, bits, n);
  auto all = bits.read();
  check_all(about("bits"), vector<unsigned>(all.begin(), all.begin() + 4), vector<unsigned>(known.first, known.first + 4));
  check(about("the streams take turns"), all[known.streams] == known.second);
  RAND(Generate)(g, bits, 3);
  unsigned next = bits.read()[0];
  RAND(SetGeneratorOffset)(g, n);
  RAND(Generate)(g, bits, 2);
  check(about("a second call goes on, an offset leads there"), bits.read()[0] == next);
  restart();
  RAND(GenerateUniform)(g, floats, 8);
  check(about("uniform"), floats.read()[0] == known.uniform);
  restart();
  RAND(GenerateUniformDouble)(g, doubles, 8);
  check(about("uniform double"), doubles.read()[0] == known.uniform_double);
  restart();
  RAND(GenerateNormal)(g, floats, 8, 0, 1);
  auto normal = floats.read();
  check(about("normal"), std::fabs(normal[0] - known.normal[0]) < 1e-6 && std::fabs(normal[1] - known.normal[1]) < 1e-6 &&
                             std::fabs(normal[2] - known.normal[2]) < 1e-6);
  restart();
  RAND(GenerateNormalDouble)(g, doubles, 8, 10, 2);
  auto normal_double = doubles.read();
  bool good = true;
  for (int i = 0; i < 3; i++) good = good && std::fabs(normal_double[i] - 10 - 2 * known.normal_double[i]) < 1e-13;
  check(about("normal double, of a mean and a deviation"), good);
  RAND(DestroyGenerator)(g);
}

template <class G>
void device(const char* names[3], vector<unsigned> bits, vector<double> values) {
  Buffer<unsigned> out(24);
  Buffer<double> real(8);
  LAUNCH(sequences<G>, 1, 3, 0, (unsigned*)out);
  auto got = out.read();
  check_all(names[0], vector<unsigned>{got[0], got[1], got[8], got[9], got[16]}, bits);
  bool good = true;
  for (unsigned long long offset : {0ull, 1ull, 3ull, 4ull, 1000ull}) {
    LAUNCH(skips<G>, 1, 1, 0, (unsigned*)out, offset);
    for (unsigned same : out.read(6)) good = good && same;
  }
  check(names[1], good);
  LAUNCH(distributions<G>, 1, 1, 0, (double*)real);
  auto drawn = real.read();
  good = drawn[6] == 1 && drawn[7] == 1;
  for (size_t i = 0; i < 6; i++) good = good && std::fabs(drawn[i] - values[i]) < (i == 1 || i > 3 ? 1e-15 : 1e-7) * 4;
  check(names[2], good);
  if (!good)
    for (double d : drawn) printf("  %.17g\n", d);
}

int main(int count, char**) {
  if (count > 1) {
    RAND(Generator_t) g;
    RAND(CreateGenerator)(&g, RAND_(_RNG_QUASI_SOBOL32));
    return 0;
  }
  uint4 block = ::emu::random::Philox::block(make_uint4(0, 0, 0, 0), make_uint2(0, 0));
  check("Philox of zeros", block.x == 0x6627e8d5 && block.y == 0xe169c58d && block.z == 0xbc57ac4c && block.w == 0x9b00dbd8);
  block = ::emu::random::Philox::block(make_uint4(~0u, ~0u, ~0u, ~0u), make_uint2(~0u, ~0u));
  check("Philox of ones", block.x == 0x408f276d && block.y == 0x41c83b0e && block.z == 0xa20bc7c6 && block.w == 0x6d5451fd);

  const char* xorwow[] = {"XORWOW: seeds and subsequences", "XORWOW: offsets", "XORWOW: distributions"};
  device<Xorwow>(xorwow, {624778773, 1867875844, 3522650202, 3978931785, 2363946744},
                 {0.1454676389694214, 0.43489880438841294, 0.7809735536575317, -1.801578164100647, 0.35873979852445503,
                  -1.239592503223552});
  const char* mrg[] = {"MRG32k3a: seeds and subsequences", "MRG32k3a: offsets", "MRG32k3a: distributions"};
  device<Mrg>(mrg, {3379073520, 2521876100, 653317650, 2890950871, 4012281984},
              {0.7867518663406372, 0.7867518627157294, -0.3606537878513336, -0.5912812948226929, -0.3606536461117447,
               -0.5912814037417441});
  const char* philox[] = {"Philox: seeds and subsequences", "Philox: offsets", "Philox: distributions"};
  device<Philox>(philox, {546353992, 3665621163, 3507855656, 1392278645, 2336459095},
                 {0.12720795, 546353992 * 2.3283064365386963e-10 + 2.3283064365386963e-10, -1.6164904832839966,
                  1.229155421257019, -0.5395266959073188, 0.16063334644202293});
  Buffer<double> wide(8);
  LAUNCH(four_wide, 1, 1, 0, (double*)wide);
  auto got = wide.read();
  check("Philox: four at once", got[0] == 546353992 && got[1] == 3419031310 && std::fabs(got[2] - 0.8534689) < 1e-7 &&
                                    std::fabs(got[3] + 1.6164905) < 1e-6 && std::fabs(got[4] - 0.46462137) < 1e-6 &&
                                    got[5] == 0.8534689954300143 && got[6] == 0.7960551488327052 && got[7] == 1);

  pairs<Xorwow>("XORWOW: two at once"), pairs<Mrg>("MRG32k3a: two at once"), pairs<Philox>("Philox: two at once");
  Buffer<float> four(4);
  LAUNCH(four_at_once, 1, 1, 0, (float*)four);
  check_all("Philox: four logarithms at once", four.read(), vector<float>{1, 1, 1, 1});

  host({RAND_(_RNG_PSEUDO_DEFAULT), "XORWOW", 4096, {624778773, 3522650202, 2363946744, 1266286439}, 1867875844,
        0.1454676389694214f, 0.43489880438841294, {0.7809735536575317f, -1.801578164100647f, -0.28084856271743774f},
        {0.35873979852445503, -1.239592503223552, -0.09149539977360863}});
  host({RAND_(_RNG_PSEUDO_MRG32K3A), "MRG32k3a", 81920, {3379073520, 653317650, 4012281984, 4237272334}, 2521876100,
        0.7867518663406372f, 0.7867518627157294, {-0.3606537878513336f, -0.5912812948226929f, -1.7185364961624146f},
        {-0.3606536461117447, -0.5912814037417441, -1.718536061653114}});
  host({RAND_(_RNG_PSEUDO_PHILOX4_32_10), "Philox", 262144, {546353992, 3665621163, 1140953199, 3419031310}, 2666454581,
        0.1272079494f, 0.8534689954300143, {-1.6164904832839966f, 1.229155421257019f, -1.5605404376983643f},
        {-0.5395266959073188, 0.16063334644202293, 1.0081967077372695}});
  RAND(Generator_t) g;
  RAND(CreateGeneratorHost)(&g, RAND_(_RNG_PSEUDO_XORWOW));
  vector<float> on_host(5);
  check("an odd number of normals is refused", RAND(GenerateNormal)(g, on_host.data(), 5, 0, 1) == RAND_(_STATUS_LENGTH_NOT_MULTIPLE));
  RAND(SetPseudoRandomGeneratorSeed)(g, 1234);
  RAND(GenerateUniform)(g, on_host.data(), 5);
  check("a host generator writes host memory", on_host[0] == 0.1454676389694214f);
}
