// Barriers of threads in a row, as groups larger than a warp have them, and what their threads lay down for each other.
#include "races.h"

namespace emu {

namespace {
unsigned there(const Block* block, const Team& team) {
  unsigned count = 0;
  for (unsigned rank = team.first; rank < team.first + team.size && rank < current.threads; rank++)
    count += block->live[rank >> 5] >> (rank & 31) & 1;
  return count;
}

void release(Block* block, size_t i) {
  Team team = block->teams[i];
  block->teams[i] = block->teams.back();
  block->teams.pop_back();
  progressed();
  races_barrier(block);
  for (unsigned rank = team.first; rank < team.first + team.size && rank < current.threads; rank++) {
    Thread& thread = block->threads[rank];
    if (thread.state == State::team && thread.width == static_cast<int>(team.size)) make_ready(&thread);
  }
}
}  // namespace

void team_barrier(unsigned first, unsigned size, Site site) {
  if (!current.running) {
    finding("host-call", nullptr, site, "a barrier was called outside a kernel");
    return;
  }
  Thread* thread = self;
  Block* block = thread->block;
  size_t i = 0;
  while (i < block->teams.size() && (block->teams[i].first != first || block->teams[i].size != size)) i++;
  if (i == block->teams.size()) {
    Critical section;
    block->teams.push_back({first, size, 0});
  }
  thread->state = State::team;
  thread->width = static_cast<int>(size);
  thread->site = site;
  if (++block->teams[i].arrived == there(block, block->teams[i])) release(block, i);
  block_self();
}

void team_member_left(Thread* thread) {
  Block* block = thread->block;
  for (size_t i = block->teams.size(); i-- > 0;)
    if (i < block->teams.size() && block->teams[i].arrived == there(block, block->teams[i])) release(block, i);
}

void lay_down(const void* p) {
  if (self) self->laid = p;
}
const void* laid_down(unsigned rank) { return self->block->threads[rank].laid; }

}  // namespace emu
