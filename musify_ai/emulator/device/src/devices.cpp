// The devices of the process, all alike: which is current, and which may reach whose memory. The host makes every copy,
// so leave to reach a peer is only kept, with the errors that go with it.
#include <set>

#include "../include/musify_emu/host.h"
#include "scheduler.h"
#include "settings.h"

namespace emu {
namespace host {

namespace {
int current_one = 0;
std::set<std::pair<int, int>> peers;
bool there_is(int device) { return device >= 0 && device < settings().devices; }
}  // namespace

int device_count() { return settings().devices; }
int current_device() { return current_one; }

int set_device(int device) {
  if (!there_is(device)) return raise(invalid_device);
  current_one = device;
  return ok;
}

int check_device(int device) { return there_is(device) ? int(ok) : raise(invalid_device); }

int can_reach(int* can, int device, int peer) {
  if (!there_is(device) || !there_is(peer)) return raise(invalid_device);
  *can = device != peer;
  return ok;
}

int reach_peer(int peer, bool allowed) {
  if (!there_is(peer) || peer == current_one) return raise(invalid_device);
  const auto pair = std::make_pair(current_one, peer);
  if (allowed) return peers.insert(pair).second ? int(ok) : raise(704);  // already enabled
  return peers.erase(pair) ? int(ok) : raise(705);                      // not enabled
}

}  // namespace host
}  // namespace emu
