// Cooperative groups.
#include "musify_emu/groups.h"
@names cooperative_groups
namespace cooperative_groups {
using namespace ::emu::groups;
}
