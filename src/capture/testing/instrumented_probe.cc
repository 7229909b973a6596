// A program built with -finstrument-functions that does what makes functions end without their exit: one
// scenario a run, named by its argument. Prints the addresses of its functions first, for the test to name
// them, and reads a line from its input where it waits for the test.
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define PLAIN __attribute__((no_instrument_function, noinline))
#define RECORDED __attribute__((noinline))

namespace {

jmp_buf g_jump;
sigjmp_buf g_signal_jump;

// The compiler may not leave the function out, nor turn its last call into a jump.
#define KEEP() asm volatile("" ::: "memory")

RECORDED void leaf() { KEEP(); }
RECORDED void middle() {
  leaf();
  leaf();
  KEEP();
}
RECORDED void outer() {
  middle();
  KEEP();
}
// Its exit is a jump to the hook.
RECORDED void jumps_to_exit() { leaf(); }

RECORDED void thrower(int depth) {
  if (depth == 0) throw 1;
  thrower(depth - 1);
  KEEP();
}
RECORDED void catcher() {
  try {
    thrower(2);
  } catch (int) {
    KEEP();
  }
  leaf();
}

PLAIN void leave(int value) { longjmp(g_jump, value); }
void (*volatile g_leave)(int) = leave;  // the compiler would complain of an endless recursion

RECORDED void long_jumper(int depth) {
  if (depth > 0) {
    long_jumper(depth - 1);
  } else {
    g_leave(1);
  }
  KEEP();
}
RECORDED void jump_catcher() {
  if (setjmp(g_jump) == 0) long_jumper(3);
  leaf();
  KEEP();
}

RECORDED int recursion(int depth) {
  const int below = depth > 0 ? recursion(depth - 1) : 0;
  KEEP();
  return below + 1;
}

RECORDED void in_handler() { KEEP(); }
RECORDED void on_signal(int) { in_handler(); }
RECORDED void on_jumping_signal(int) {
  in_handler();
  siglongjmp(g_signal_jump, 1);
}
RECORDED void raises() {
  raise(SIGUSR1);
  leaf();
}

// ---- stacks of their own

ucontext_t g_main_context;
ucontext_t g_contexts[2];

RECORDED void yields(int me) {
  swapcontext(&g_contexts[me], &g_main_context);
  KEEP();
}
RECORDED void coroutine(int me) {
  for (int i = 0; i < 3; ++i) yields(me);
  leaf();
}
RECORDED void resume(int which) {
  swapcontext(&g_main_context, &g_contexts[which]);
  leaf();
}
RECORDED void scheduler() {
  for (int i = 0; i < 4; ++i) {
    resume(0);
    resume(1);
  }
  KEEP();
}

alignas(64) char g_stacks[2][256 * 1024];
alignas(64) char g_signal_stack[64 * 1024];

PLAIN void make_coroutine(int which) {
  getcontext(&g_contexts[which]);
  g_contexts[which].uc_stack.ss_sp = g_stacks[which];
  g_contexts[which].uc_stack.ss_size = sizeof g_stacks[which];
  g_contexts[which].uc_link = &g_main_context;
  makecontext(&g_contexts[which], reinterpret_cast<void (*)()>(coroutine), 1, which);
}

PLAIN void run_coroutines() {
  make_coroutine(0);
  make_coroutine(1);
  scheduler();
  outer();
}

// ---- scenarios

PLAIN void wait_for_test() {
  std::puts("waiting -");
  std::fflush(stdout);
  char line[16];
  if (read(STDIN_FILENO, line, sizeof line) <= 0) std::exit(5);
}

PLAIN void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags | SA_RESTART;
  sigaction(signal, &action, nullptr);
}

PLAIN void tick_every_us(long period_us) {
  const itimerval timer{{0, period_us}, {0, period_us}};
  setitimer(ITIMER_REAL, &timer, nullptr);
}

PLAIN void many_signals() {
  handle(SIGALRM, on_signal, 0);
  tick_every_us(50);
  for (int i = 0; i < 300'000; ++i) outer();
  tick_every_us(0);
}

// The handler leaves what it interrupted, hooks included.
PLAIN void jumping_signals() {
  outer();
  wait_for_test();
  handle(SIGALRM, on_jumping_signal, SA_NODEFER);
  tick_every_us(500);
  volatile int rounds = 0;
  sigsetjmp(g_signal_jump, 1);
  while (rounds < 50'000) {
    rounds = rounds + 1;
    outer();
  }
  tick_every_us(0);
}

PLAIN void other_stack() {
  stack_t stack{};
  stack.ss_sp = g_signal_stack;
  stack.ss_size = sizeof g_signal_stack;
  sigaltstack(&stack, nullptr);
  handle(SIGUSR1, on_signal, SA_ONSTACK);
  for (int i = 0; i < 3; ++i) raises();
}

PLAIN void* many_calls(void*) {
  for (int k = 0; k < 1000; ++k) outer();
  return nullptr;
}
PLAIN void threads() {
  outer();  // opens the ring
  pthread_t all[4];
  for (pthread_t& thread : all) pthread_create(&thread, nullptr, many_calls, nullptr);
  for (const pthread_t thread : all) pthread_join(thread, nullptr);
}

PLAIN void forks() {
  outer();
  const pid_t child = fork();
  outer();
  if (child == 0) _exit(0);
  int status = 1;
  if (waitpid(child, &status, 0) != child || status != 0) std::exit(6);
}

PLAIN void judged() {
  for (int i = 0; i < 10'000; ++i) leaf();
  wait_for_test();
  for (int i = 0; i < 10'000; ++i) leaf();
}

PLAIN void waits() {
  outer();
  wait_for_test();
  outer();
}

PLAIN void load(const char* path) {
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) std::exit(7);
  reinterpret_cast<void (*)()>(dlsym(library, "of_library"))();
  dlclose(library);
}

// Two libraries, one after the other; where the second one lies is up to the system.
PLAIN void loads(const char* first, const char* second) {
  load(first);
  wait_for_test();
  load(second);
}

PLAIN int take_bias(dl_phdr_info* info, std::size_t, void* into) {
  *static_cast<std::uintptr_t*>(into) = info->dlpi_addr;
  return 1;
}

PLAIN void print_address(const char* name, std::uintptr_t address) {
  std::uintptr_t bias = 0;
  dl_iterate_phdr(take_bias, &bias);
  std::printf("%s %lx\n", name, static_cast<unsigned long>(address - bias));
}
#define PRINT_ADDRESS(function) print_address(#function, reinterpret_cast<std::uintptr_t>(function))

PLAIN void print_addresses() {
  PRINT_ADDRESS(leaf);
  PRINT_ADDRESS(middle);
  PRINT_ADDRESS(outer);
  PRINT_ADDRESS(jumps_to_exit);
  PRINT_ADDRESS(thrower);
  PRINT_ADDRESS(catcher);
  PRINT_ADDRESS(long_jumper);
  PRINT_ADDRESS(jump_catcher);
  PRINT_ADDRESS(recursion);
  PRINT_ADDRESS(in_handler);
  PRINT_ADDRESS(on_signal);
  PRINT_ADDRESS(on_jumping_signal);
  PRINT_ADDRESS(raises);
  PRINT_ADDRESS(yields);
  PRINT_ADDRESS(coroutine);
  PRINT_ADDRESS(resume);
  PRINT_ADDRESS(scheduler);
  std::fflush(stdout);
}

PLAIN void jumps() { jumps_to_exit(), jumps_to_exit(); }
PLAIN void exceptions() { catcher(), catcher(); }
PLAIN void long_jumps() { jump_catcher(), jump_catcher(); }
PLAIN void deep() {
  recursion(10'000);
  wait_for_test();
  outer();
}

struct Scenario {
  const char* name;
  void (*run)();
};

constexpr Scenario kScenarios[] = {
    {"nested", outer},
    {"jumps_to_exit", jumps},
    {"exception", exceptions},
    {"longjmp", long_jumps},
    {"deep", deep},
    {"threads", threads},
    {"fork", forks},
    {"signals", many_signals},
    {"jumping_signals", jumping_signals},
    {"other_stack", other_stack},
    {"coroutines", run_coroutines},
    {"judged", judged},
    {"waits", waits},
};

}  // namespace

PLAIN int main(int count, char** arguments) {
  if (count == 4) {
    loads(arguments[2], arguments[3]);
    return 0;
  }
  print_addresses();
  for (const Scenario& scenario : kScenarios) {
    if (count < 2 || std::strcmp(arguments[1], scenario.name) != 0) continue;
    scenario.run();
    return 0;
  }
  return 4;
}
