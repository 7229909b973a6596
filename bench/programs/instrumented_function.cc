#include "instrumented_function.h"

__attribute__((no_instrument_function)) int plain_function(int value) { return value * 3 + 1; }
int instrumented_function(int value) { return value * 3 + 1; }
