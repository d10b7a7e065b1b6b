#include "musify_declarations.h"
