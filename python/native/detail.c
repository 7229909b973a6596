/* Follows the recorder's wish for less detail, or for all of it again, and says when it did: so each step
 * is known to have been recorded with one level of detail only. */
#include "functions.h"

static unsigned in_force;

void detail_follow(void) {
  static latido_site site = {.name = "reduction", .category = "detail"};
  const unsigned wanted = wanted_reduction();
  if (wanted == in_force) return;
  in_force = wanted;
  functions_reduce((Reduction)wanted);
  latido_instant(&site, wanted);
}
