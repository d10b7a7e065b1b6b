#include "settings.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "scheduler.h"

int warpSize = 32;  // the headers declare it const: device code may not write it, a harness may between launches

namespace emu {

static Settings values;

bool set_schedule(const char* text) {
  if (strcmp(text, "forward") == 0) {
    values.order = Order::forward;
  } else if (strcmp(text, "reverse") == 0) {
    values.order = Order::reverse;
  } else if (strcmp(text, "interleaved") == 0) {
    values.order = Order::interleaved;
  } else if (strcmp(text, "lockstep") == 0) {
    values.order = Order::lockstep;
  } else if (strncmp(text, "random", 6) == 0 && (text[6] == 0 || text[6] == ':')) {
    values.order = Order::random;
    if (text[6] == ':') values.seed = strtoull(text + 7, nullptr, 10);
  } else {
    return false;
  }
  return true;
}

static bool read_environment() {
  if (const char* text = getenv("MUSIFY_EMU_LANES")) {
    int lanes = atoi(text);
    if (lanes != 32 && lanes != 128) {
      fprintf(stderr, "musify-emu: MUSIFY_EMU_LANES must be 32 or 128, not \"%s\"\n", text);
      exit(96);
    }
    values.lanes = lanes;
    warpSize = lanes;
  }
  const char* text = getenv("MUSIFY_EMU_SCHEDULE");
  if (text && !set_schedule(text)) {
    fprintf(stderr, "musify-emu: MUSIFY_EMU_SCHEDULE must be forward, reverse, interleaved, lockstep or random:N, not \"%s\"\n", text);
    exit(96);
  }
  if ((text = getenv("MUSIFY_EMU_POISON"))) values.poison = static_cast<unsigned char>(strtol(text, nullptr, 0));
  if ((text = getenv("MUSIFY_EMU_GUARD"))) values.guard = static_cast<unsigned char>(strtol(text, nullptr, 0));
  if ((text = getenv("MUSIFY_EMU_SECONDS")) && atof(text) > 0) values.seconds = atof(text);
  if ((text = getenv("MUSIFY_EMU_STREAMS"))) {
    if (strcmp(text, "late") == 0) values.late = Late::turns;
    else if (strcmp(text, "late-reverse") == 0) values.late = Late::reverse;
    else if (strcmp(text, "at-once") != 0) {
      fprintf(stderr, "musify-emu: MUSIFY_EMU_STREAMS must be at-once, late or late-reverse, not \"%s\"\n", text);
      exit(96);
    }
  }
  if ((text = getenv("MUSIFY_EMU_PROTECT"))) values.protect = strcmp(text, "1") == 0;
  if ((text = getenv("MUSIFY_EMU_DEVICES")) && atoi(text) >= 1 && atoi(text) <= 8) values.devices = atoi(text);
  return true;
}

Settings& settings() {
  static const bool read = read_environment();
  (void)read;
  return values;
}

int lanes() { return warpSize; }

int reported_lanes() {
  const char* text = getenv("MUSIFY_EMU_WIDTH");
  return text ? atoi(text) : lanes();
}

}  // namespace emu
