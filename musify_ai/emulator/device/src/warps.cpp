// Warp operations: lanes of a warp wait for each other, and the last one computes all results.
//
// A member mask has 32 bits. On 128 lanes it names the lanes of the caller's own 32-lane segment, and ballots, votes,
// matches and reductions speak of that segment: nobody has published what hardware does, so each is an assumption.
// A shuffle wider than 32 is between all segments of the warp.
#include <algorithm>
#include <cstring>

#include "races.h"
#include "settings.h"

namespace emu {

namespace {

bool shuffles(Op op) { return op <= Op::shuffle_xor; }

unsigned needed(const Block* block, const Rendezvous& r, unsigned i) {
  unsigned segment = r.segment + i;
  return segment < block->live.size() ? block->live[segment] & r.mask : 0;
}

bool complete(const Block* block, const Rendezvous& r) {
  for (unsigned i = 0; i < r.span; i++)
    if (needed(block, r, i) & ~r.arrived[i]) return false;
  return true;
}

void shuffle(Block* block, const Rendezvous& r, Thread& thread) {
  int width = thread.width, lane = static_cast<int>(thread.rank - r.segment * 32);  // within the rendezvous
  int base = lane & ~(width - 1), source = lane;
  switch (thread.op) {
    case Op::shuffle_index: source = base + (thread.argument & (width - 1)); break;
    case Op::shuffle_up:
      source = lane - thread.argument;
      if (thread.argument < 0 || source < base) source = lane;
      break;
    case Op::shuffle_down:
      source = lane + thread.argument;
      if (thread.argument < 0 || source >= base + width) source = lane;
      break;
    default:
      source = lane ^ thread.argument;
      if (source < 0 || source >= base + width) source = lane;  // a lower group may be read, a higher one not
  }
  bool there = source >= 0 && source < static_cast<int>(r.span * 32) && (r.arrived[source / 32] >> (source % 32) & 1);
  if (there) {
    memcpy(thread.out, block->threads[r.segment * 32 + static_cast<unsigned>(source)].in, static_cast<size_t>(r.size));
    return;
  }
  // Hardware gives no defined value. The poison does what it does for memory: two patterns, two results.
  memset(thread.out, settings().poison, static_cast<size_t>(r.size));
  finding("shuffle-inactive", nullptr, thread.site, "lane %d reads lane %d, which does not take part",
          lane, source);
}

unsigned long long reduce(const Block* block, const Rendezvous& r, const Thread& asker) {
  unsigned result = 0;
  bool first = true;
  for (unsigned bits = r.arrived[0]; bits; bits &= bits - 1) {
    const Thread& other = block->threads[r.segment * 32 + static_cast<unsigned>(__builtin_ctz(bits))];
    unsigned value;
    memcpy(&value, other.in, 4);
    if (first) {
      result = value;
      first = false;
      continue;
    }
    bool less = asker.is_signed ? static_cast<int>(value) < static_cast<int>(result) : value < result;
    switch (r.op) {
      case Op::reduce_add: result += value; break;
      case Op::reduce_min: result = less ? value : result; break;
      case Op::reduce_max: result = less ? result : value; break;
      case Op::reduce_and: result &= value; break;
      case Op::reduce_or: result |= value; break;
      default: result ^= value;
    }
  }
  return result;
}

unsigned matching(const Block* block, const Rendezvous& r, const Thread& thread) {
  unsigned mask = 0;
  for (unsigned bits = r.arrived[0]; bits; bits &= bits - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(bits));
    if (memcmp(block->threads[r.segment * 32 + lane].in, thread.in, static_cast<size_t>(r.size)) == 0) mask |= 1u << lane;
  }
  return mask;
}

unsigned voters(const Block* block, const Rendezvous& r) {
  unsigned mask = 0;
  for (unsigned bits = r.arrived[0]; bits; bits &= bits - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(bits));
    int predicate;
    memcpy(&predicate, block->threads[r.segment * 32 + lane].in, 4);
    if (predicate) mask |= 1u << lane;
  }
  return mask;
}

// Computes every lane's result and lets all go. `r` is a copy: the list may change under us.
void finish(Block* block, const Rendezvous r) {
  progressed();
  if (r.op == Op::sync) races_warp_sync(block, r.segment, r.arrived[0]);
  unsigned long long common = 0;
  unsigned first = r.segment * 32 + (r.arrived[0] ? static_cast<unsigned>(__builtin_ctz(r.arrived[0])) : 0);
  switch (r.op) {
    case Op::ballot: common = voters(block, r); break;
    case Op::any: common = voters(block, r) != 0; break;
    case Op::all: common = voters(block, r) == r.arrived[0]; break;
    case Op::active:
    case Op::meet: common = r.arrived[0]; break;
    case Op::match_all: common = matching(block, r, block->threads[first]) == r.arrived[0] ? r.arrived[0] : 0; break;
    default: break;
  }
  bool descending = settings().order == Order::reverse;
  for (unsigned k = 0; k < r.span * 32; k++) {
    unsigned i = descending ? r.span * 32 - 1 - k : k;
    if (!(r.arrived[i / 32] >> (i % 32) & 1)) continue;
    Thread& thread = block->threads[r.segment * 32 + i];
    thread.result = common;
    if (shuffles(r.op)) shuffle(block, r, thread);
    else if (r.op == Op::match_any) thread.result = matching(block, r, thread);
    else if (r.op >= Op::reduce_add && r.op <= Op::reduce_xor) thread.result = reduce(block, r, thread);
    make_ready(&thread);
  }
}

void finish_at(Block* block, size_t i) {
  Rendezvous r = block->pending[i];
  block->pending[i] = block->pending.back();
  block->pending.pop_back();
  finish(block, r);
}

// Once a launch is enough, and the report takes longer than the operation.
bool first_in_launch(Op op, bool partial) {
  static unsigned long long noted[2 * (static_cast<int>(Op::active) + 1)];
  unsigned long long& epoch = noted[2 * static_cast<int>(op) + partial];
  if (epoch == launch_epoch) return false;
  epoch = launch_epoch;
  return true;
}

// Reports what an operation rests on where nobody has said what 128 lanes do.
void note_assumptions(Op op, unsigned mask, bool masked, Site site) {
  if (!first_in_launch(op, masked && mask != ~0u)) return;
  switch (op) {
    case Op::ballot:
    case Op::match_any:
    case Op::match_all:
    case Op::active:
      assume("warp128-ballot-segment", "a ballot, match or active mask is that of the caller's 32-lane segment", site);
      break;
    case Op::any:
    case Op::all:
      assume("warp128-vote-segment", "any and all ask the lanes of the caller's 32-lane segment", site);
      break;
    case Op::sync:
    case Op::meet: break;
    default:
      if (!shuffles(op))
        assume("warp128-reduce-segment", "a warp reduction is over the lanes of the caller's 32-lane segment", site);
  }
  if (masked && mask != ~0u)
    assume("warp128-partial-mask", "a partial mask names lanes of the caller's own 32-lane segment", site);
}

}  // namespace

unsigned long long warp(Op op, bool masked, unsigned mask, const void* in, int size, int argument, int width, Site site,
                        void* out, bool is_signed) {
  if (!current.running) {
    finding("host-call", nullptr, site, "a warp operation was called outside a kernel");
    if (out) memset(out, 0, static_cast<size_t>(size));
    return 0;
  }
  Thread* thread = self;
  Block* block = thread->block;
  const int all_lanes = lanes();
  if (!shuffles(op)) {
    width = 32;
  } else if (width == 0) {
    width = all_lanes;
  } else if (width < 0 || width > all_lanes || (width & (width - 1))) {
    finding("shuffle-width", nullptr, site, "a shuffle of width %d; it must be a power of two up to %d", width, all_lanes);
    width = all_lanes;
  }
  unsigned in_segment = thread->rank & 31;
  if (masked && !(mask >> in_segment & 1)) {
    finding("warp-mask", nullptr, site, "lane %u calls a warp operation whose mask 0x%08x leaves it out", in_segment, mask);
    mask |= 1u << in_segment;
  }
  if (!masked) mask = ~0u;
  if (all_lanes == 128) note_assumptions(op, mask, masked, site);
  thread->op = op;
  thread->masked = masked;
  thread->is_signed = is_signed;
  thread->mask = mask;
  thread->size = size;
  thread->argument = argument;
  thread->width = width;
  thread->site = site;
  if (in) memcpy(thread->in, in, static_cast<size_t>(size));
  unsigned span = width > 32 ? static_cast<unsigned>(all_lanes) / 32 : 1;
  unsigned segment = (thread->rank >> 5) / span * span;
  thread->state = State::warp;

  Rendezvous* r = nullptr;
  size_t at = 0;
  for (; at < block->pending.size(); at++) {
    Rendezvous& p = block->pending[at];
    if (p.segment == segment && p.span == span && p.op == op && p.masked == masked && p.mask == mask && p.size == size &&
        (masked || (p.site.line == site.line && p.site.file == site.file))) {
      r = &p;
      break;
    }
  }
  if (!r) {
    Critical section;
    block->pending.push_back(Rendezvous{op, masked, mask, size, segment, span, site, {0, 0, 0, 0}});
    r = &block->pending.back();
  }
  r->arrived[(thread->rank >> 5) - segment] |= 1u << in_segment;
  if (complete(block, *r)) finish_at(block, at);
  block_self();
  if (out) memcpy(out, thread->out, static_cast<size_t>(size));
  return thread->result;
}

void lane_left(Thread* thread) {
  Block* block = thread->block;
  for (size_t i = 0; i < block->pending.size();) {
    if (complete(block, block->pending[i])) finish_at(block, i);
    else i++;
  }
}

// Legacy forms, and shuffles wider than a segment, do not say who takes part: whoever is there when nobody else can
// come is the active set. A masked form whose lanes cannot come is at fault; it goes on with those that are there, so
// that one report is not the end of everything.
bool complete_stalled() {
  for (Block* block : current.resident) {
    size_t chosen = block->pending.size();
    for (size_t i = 0; i < block->pending.size(); i++) {
      const Rendezvous& r = block->pending[i];
      bool free_to_go = !r.masked || r.span > 1;
      if (free_to_go && (chosen == block->pending.size() || r.segment < block->pending[chosen].segment)) chosen = i;
    }
    if (chosen < block->pending.size()) {
      const Rendezvous& r = block->pending[chosen];
      if (r.masked)
        assume("warp128-absent-lanes", "a shuffle over 128 lanes went on without lanes that did not call it", r.site);
      finish_at(block, chosen);
      return true;
    }
  }
  for (Block* block : current.resident)
    if (!block->pending.empty()) {
      const Rendezvous& r = block->pending.front();
      finding("warp-deadlock", nullptr, r.site, "lanes 0x%08x of mask 0x%08x wait for others that never come: %s",
              r.arrived[0], r.mask, describe_waiters().c_str());
      finish_at(block, 0);
      return true;
    }
  return false;
}

}  // namespace emu
