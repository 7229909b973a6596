/* Compiled as C99 and C11, with all warnings: latido.h is a C header. */
#include <latido/latido.h>

int latido_header_check(void);

int latido_header_check(void) {
  static latido_site site = {"name", "zone", __FILE__, __LINE__, 0};
  if (!LATIDO_IS_OFF() && latido_begin(&site)) {
    latido_arg(&site, 1);
    latido_end(&site);
  }
  latido_log("value", 1.0);
  return (int)latido_dropped();
}
