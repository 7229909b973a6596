// Functions whose times are known: sleep_a_little sleeps 2 ms a call, tiny takes next to nothing.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

namespace shop {

class Model {
 public:
  __attribute__((noinline)) int tiny(int value) const { return value * factor_ + 1; }
  __attribute__((noinline)) void sleep_a_little() const {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  __attribute__((noinline)) int forward(int value) const {
    sleep_a_little();
    for (int i = 0; i < 1000; ++i) value = tiny(value) % 1000;
    return value;
  }
  __attribute__((noinline)) void fail(int depth) const {
    if (depth == 0) throw std::runtime_error("thrown");
    fail(depth - 1);
  }

 private:
  int factor_ = 3;
};

__attribute__((noinline)) int attempt(const Model& model) {
  try {
    model.fail(3);
  } catch (const std::runtime_error&) {
    return 1;
  }
  return 0;
}

}  // namespace shop

int main(int count, char** arguments) {
  if (count > 2) std::remove(arguments[0]);
  const int rounds = count > 1 ? std::atoi(arguments[1]) : 10;
  const shop::Model model;
  int sum = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) threads.emplace_back([&model] { model.forward(1); });
  for (int i = 0; i < rounds; ++i) sum += model.forward(i) + shop::attempt(model);
  for (std::thread& thread : threads) thread.join();
  std::printf("%d\n", sum > 0 ? 1 : 0);
  return 3;
}
