// A program as a user writes it, linked with the shared library: for tests that start one.
#include <latido/latido.h>

int main() {
  LATIDO_ZONE("probe");
  latido_log("probe.log", 1);
  return LATIDO_IS_OFF() ? 3 : 0;
}
