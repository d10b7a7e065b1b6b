// libcu++: optional values and variants, which are those of the C++ library.
#pragma once
#include <optional>
#include <variant>

#include "std.h"
