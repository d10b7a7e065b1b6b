// libcu++: pipelines. A stage is full when each of its threads has committed it, and free when each has released it.
#pragma once
#include "barrier.h"

namespace cuda {

template <thread_scope Scope, unsigned Stages>
struct pipeline_shared_state {
  unsigned committed[Stages], released[Stages];
  pipeline_shared_state() {}
};
enum class pipeline_role { producer, consumer };

template <thread_scope Scope>
class pipeline {
 public:
  pipeline() = default;  // of the calling thread alone: its copies are made when they are asked for
  pipeline(unsigned* committed, unsigned* released, unsigned stages, unsigned threads)
      : committed_(committed), released_(released), stages_(stages), threads_(threads) {}
  void producer_acquire() {
    if (committed_ && commits_ >= stages_) until(released_, commits_ - stages_);
  }
  void producer_commit() {
    if (committed_) count(committed_, commits_);
    commits_++;
  }
  void consumer_wait() {
    if (committed_) until(committed_, waits_);
    waits_++;
  }
  void consumer_release() {
    if (committed_) count(released_, releases_);
    releases_++;
  }
  // Waits for all but the last `prior` of the calling thread's own stages.
  void wait_prior(unsigned prior) {
    if (committed_)
      for (unsigned i = waits_; i + prior < commits_; i++) until(committed_, i);
  }
  bool quit() { return true; }

 private:
  void count(unsigned* at, unsigned stage) { detail::AtomicAccess<unsigned>(&at[stage % stages_]).fetch_add(1, memory_order_release); }
  void until(unsigned* at, unsigned stage) {
    detail::AtomicAccess<unsigned> counted(&at[stage % stages_]);
    while (counted.load(memory_order_acquire) < threads_ * (stage / stages_ + 1)) {
    }
  }
  unsigned *committed_ = nullptr, *released_ = nullptr;
  unsigned stages_ = 1, threads_ = 1, commits_ = 0, waits_ = 0, releases_ = 0;
};
inline pipeline<thread_scope_thread> make_pipeline() { return {}; }
// Of a whole group: its first thread prepares the state, and the group meets.
template <class Group, thread_scope Scope, unsigned Stages>
pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state) {
  if (group.thread_rank() == 0)
    for (unsigned i = 0; i < Stages; i++) state->committed[i] = state->released[i] = 0;
  group.sync();
  return {state->committed, state->released, Stages, static_cast<unsigned>(group.size())};
}
template <unsigned Prior, thread_scope Scope>
void pipeline_consumer_wait_prior(pipeline<Scope>& p) { p.wait_prior(Prior); }

}  // namespace cuda
