// libcu++: complex numbers, which are those of the C++ library.
#pragma once
#include <complex>

#include "std.h"
