// libcu++: durations, which are those of the C++ library.
#pragma once
#include <chrono>

#include "std.h"
