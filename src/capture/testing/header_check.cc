// Compiled as C++11 to C++20, with all warnings.
#include <latido/latido.h>

int latido_header_check() {
  LATIDO_ZONE("one");
  LATIDO_ZONE("two");
  latido_step();
  return LATIDO_IS_OFF() ? 0 : 1;
}
