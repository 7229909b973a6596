// Built twice, under two names: what a program loads and unloads.
extern "C" __attribute__((visibility("default"))) void of_library() { asm volatile(""); }
