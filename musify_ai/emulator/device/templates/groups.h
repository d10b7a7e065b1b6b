// Cooperative groups.
#include "musify_emu/groups.h"
#include "musify_emu/group_algorithms.h"
@cuda
#include "musify_emu/group_copies.h"
@end
@names cooperative_groups
namespace cooperative_groups {
using namespace ::emu::groups;
}
