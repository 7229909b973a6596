// One function, built twice: with -finstrument-functions and without. For bench/native_functions.cc.
#pragma once

int plain_function(int value);
int instrumented_function(int value);
