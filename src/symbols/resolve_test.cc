#include "symbols/resolve.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/clock.h"
#include "symbols/testing/built_program.h"

namespace latido::symbols {
namespace {

using testing::BuiltProgram;
using testing::compilers;

constexpr const char* kPay = "_ZN4shop4Till3payEi";
constexpr const char* kTwice = "_ZN4shop4Till5twiceIiEET_S2_";

NativeFunction function_of(const BuiltProgram& program, const std::string& mangled) {
  return {.path = program.path(),
          .identity = program.identity(),
          .address = program.address_of(mangled)};
}

std::vector<NativeFunction> sample_functions(const BuiltProgram& program) {
  return {function_of(program, kPay),
          function_of(program, "main"),
          function_of(program, kTwice),
          {.path = program.path(), .identity = program.identity(), .address = 3}};
}

TEST(ResolveFunctions, FindsNamesFilesAndLinesOfEachCompiler) {
  for (const std::string& compiler : compilers()) {
    for (const char* flags : {"-g1", "-g", "-g1 -gdwarf-4 -no-pie"}) {
      SCOPED_TRACE(compiler + " " + flags);
      const BuiltProgram program(compiler, flags);
      const Resolution found = resolve_functions(sample_functions(program));
      EXPECT_EQ(found.problems, std::vector<std::string>{});
      ASSERT_EQ(found.symbols.size(), 4U);
      EXPECT_EQ(found.symbols[0], (Symbol{"shop::Till::pay(int)", program.source(), 7}));
      EXPECT_EQ(found.symbols[1], (Symbol{"main", program.source(), 10}));
      EXPECT_EQ(found.symbols[2], (Symbol{"int shop::Till::twice<int>(int)", program.source(), 5}));
      EXPECT_EQ(found.symbols[3], Symbol{}) << "no function begins there";
    }
  }
}

TEST(ResolveFunctions, UsesWhatIsLeftOfAProgram) {
  struct Case {
    const char* name;
    const char* flags;
    const char* command;
    Symbol wanted;
  };
  const std::vector<Case> cases{
      {"no debug information", "-g0", "true", {"shop::Till::pay(int)", "", 0}},
      {"stripped of it", "-g1", "strip -g PATH", {"shop::Till::pay(int)", "", 0}},
      {"stripped of all", "-g1", "strip PATH", {}},
      {"dynamic symbols only", "-g0 -rdynamic", "strip PATH", {"shop::Till::pay(int)", "", 0}},
      {"compressed sections",
       "-g1",
       "objcopy --compress-debug-sections PATH",
       {"shop::Till::pay(int)", "(the source)", 7}},
  };
  for (Case c : cases) {
    SCOPED_TRACE(c.name);
    const BuiltProgram program("g++", c.flags);
    program.run(c.command);
    if (!c.wanted.file.empty()) c.wanted.file = program.source();
    const Resolution found = resolve_functions(std::vector{function_of(program, kPay)});
    EXPECT_EQ(found.problems, std::vector<std::string>{});
    EXPECT_EQ(found.symbols, std::vector{c.wanted});
  }
}

TEST(ResolveFunctions, GivesNoNamesOfAProgramThatWasBuiltAgain) {
  struct Case {
    const char* name;
    const char* flags;
    const char* command;
    bool names;
  };
  const std::string again = "g++ -O2 -g1 -o PATH $(dirname PATH)/shop.cc";
  const std::vector<Case> cases{
      {"with a build id", "-g1", again.c_str(), false},
      {"touched, same build id", "-g1", "touch PATH", true},
      {"without one", "-g1 -Wl,--build-id=none", "true", true},
      {"without one, changed", "-g1 -Wl,--build-id=none", "touch -d 2020-01-01 PATH", false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const BuiltProgram program("g++", c.flags);
    program.run(c.command);
    const Resolution found = resolve_functions(std::vector{function_of(program, kPay)});
    EXPECT_EQ(found.symbols[0].name, c.names ? "shop::Till::pay(int)" : "");
    const std::vector<std::string> problems{program.path() +
                                            ": was built again since it was recorded"};
    EXPECT_EQ(found.problems, c.names ? std::vector<std::string>{} : problems);
  }
}

TEST(ResolveFunctions, SaysWhatIsWrongWithAFileAndGoesOnWithTheNext) {
  const BuiltProgram program("g++");
  const std::string folder = std::filesystem::path(program.path()).parent_path();
  std::ofstream(folder + "/text") << "no program";
  std::ofstream(folder + "/empty");
  ASSERT_EQ(::mkfifo((folder + "/pipe").c_str(), 0600), 0);
  program.run("head -c 3000 PATH > PATH.short");
  for (const char* name : {"text", "empty", "pipe", "shop.short", "absent", "."}) {
    SCOPED_TRACE(name);
    const NativeFunction odd{
        .path = folder + "/" + name, .identity = program.identity(), .address = 0x1000};
    const Resolution found = resolve_functions(std::vector{odd, function_of(program, kPay)});
    EXPECT_EQ(found.symbols[0], Symbol{});
    EXPECT_EQ(found.symbols[1].name, "shop::Till::pay(int)");
  }
}

// Every byte of a program may be wrong: whatever that does to the library that reads it, we go on.
TEST(ResolveFunctions, SurvivesDamagedPrograms) {
  const BuiltProgram program("g++", "-g");
  std::string bytes;
  {
    std::ifstream file(program.path(), std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  const std::string damaged = program.path() + ".damaged";
  const NativeFunction function{
      .path = damaged, .identity = program.identity(), .address = program.address_of(kPay)};
  std::uint64_t state = 7;
  for (int round = 0; round < 40; ++round) {
    std::string changed = bytes;
    for (int k = 0; k < 64; ++k) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      const std::size_t limit = round % 2 == 0 ? changed.size() : 4096;
      changed[(state >> 33) % limit] = static_cast<char>(state >> 24);
    }
    std::ofstream(damaged, std::ios::binary) << changed;
    const Resolution found = resolve_functions(
        std::vector{function}, {.wall_ns = 2'000'000'000, .memory_bytes = 256U << 20U});
    EXPECT_EQ(found.symbols.size(), 1U);
  }
}

TEST(ResolveFunctions, EndsWhenItsTimeIsOver) {
  const BuiltProgram program("g++");
  const std::vector functions(200'000, function_of(program, kPay));
  const std::int64_t begin_ns = monotonic_now_ns();
  const Resolution found = resolve_functions(functions, {.wall_ns = 1});
  EXPECT_EQ(found.problems.size(), 1U);
  EXPECT_LT(monotonic_now_ns() - begin_ns, 5'000'000'000);
}

TEST(ResolveFunctions, AsksNobodyForNothing) {
  EXPECT_EQ(resolve_functions({}).symbols.size(), 0U);
}

TEST(Demangle, WritesNamesAsPeopleDo) {
  EXPECT_EQ(demangle("_ZN4shop4Till3payEi"), "shop::Till::pay(int)");
  EXPECT_EQ(demangle("main"), "main");
  EXPECT_EQ(demangle("_Z3putRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"),
            "put(std::string const&)");
  EXPECT_EQ(demangle("_ZZZ"), "_ZZZ");
  EXPECT_LE(demangle(std::string(100'000, 'x').c_str()).size(), 4096U);
}

}  // namespace
}  // namespace latido::symbols
