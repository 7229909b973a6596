#include "capture/function_table.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace latido::capture {
namespace {

// All zero, as the hooks map it.
std::unique_ptr<FunctionTable> make_table() { return std::make_unique<FunctionTable>(); }

TEST(FunctionTable, FindsWhatWasAddedAndNothingElse) {
  const auto table = make_table();
  EXPECT_EQ(table->find(0x1000), nullptr);
  FunctionState* const state = table->add(0x1000, nullptr, 3, 256);
  EXPECT_EQ(table->find(0x1000), state);
  EXPECT_EQ(table->find(0x1010), nullptr);
  EXPECT_EQ(state->address, 0x1000U);
  EXPECT_EQ(state->generation.load(), 3U);
  EXPECT_EQ(table->add(0x1000, nullptr, 3, 256), state) << "added once";
}

TEST(FunctionTable, FunctionsBeyondItsSizeShareOneState) {
  const auto table = make_table();
  for (std::uintptr_t i = 1; i <= FunctionTable::kMaxFunctions; ++i) {
    ASSERT_NE(table->add(i * 16, nullptr, 0, 256), &table->others());
  }
  EXPECT_TRUE(table->is_full());
  EXPECT_EQ(table->add(16 * FunctionTable::kMaxFunctions + 16, nullptr, 0, 256), &table->others());
  EXPECT_EQ(table->find(16 * FunctionTable::kMaxFunctions)->address,
            16 * FunctionTable::kMaxFunctions);
}

TEST(FunctionTable, ThreadsThatAddTheSameFunctionsGetTheSameStates) {
  const auto table = make_table();
  constexpr std::uintptr_t kFunctions = 10'000;
  std::vector<std::vector<FunctionState*>> seen(4, std::vector<FunctionState*>(kFunctions));
  std::vector<std::thread> threads;
  for (auto& states : seen) {
    threads.emplace_back([&] {
      for (std::uintptr_t i = 0; i < kFunctions; ++i) {
        const std::uintptr_t address = (i + 1) * 48;
        FunctionState* const found = table->find(address);
        states[i] = found != nullptr ? found : table->add(address, nullptr, 0, 256);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& states : seen) EXPECT_EQ(states, seen[0]);
}

TEST(FunctionModules, KnowTheProgramByPathAddressAndBuild) {
  const auto modules = std::make_unique<NativeModules>();
  const auto address = reinterpret_cast<std::uintptr_t>(&make_table);
  const NativeModule* const module = modules->find(address, {}, 0);
  ASSERT_NE(module, nullptr);
  EXPECT_STREQ(module->name, "capture_test");
  EXPECT_EQ(module->path[0], '/');
  EXPECT_TRUE(module->wanted);
  EXPECT_EQ(modules->find(address + 1, {}, 0), module);
  EXPECT_EQ(modules->find(1, {}, 0), nullptr);
  char name[kMaxNativeNameBytes];
  write_native_name(*module, module->load_bias + 0x1a2b, name);
  EXPECT_EQ(std::string(name), std::string("capture_test+0x1a2b#") + module->identity);
  EXPECT_GT(std::string(module->identity).size(), 8U);
}

}  // namespace
}  // namespace latido::capture
