#include "stacks/python_target.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "stacks/stack_walk.h"
#include "stacks/testing/python_program.h"

namespace latido::stacks {
namespace {

using testing::PythonProgram;

// Tries without end would hang a build; each is some microseconds.
constexpr int kPatience = 200'000;

std::string shown(const PythonTarget& target, const Sample& sample, const ThreadStack& thread) {
  std::string text;
  for (const Frame& frame : sample.stack_of(thread)) {
    text += target.functions()[frame.function].name + ":" + std::to_string(frame.line) + " ";
  }
  return text;
}

// Samples until `holds` or the target ends.
bool sample_until(PythonTarget& target, Sample& sample, const std::function<bool()>& holds) {
  for (int k = 0; k < kPatience && target.sample(sample); ++k) {
    if (holds()) return true;
    ::sched_yield();  // on a machine that is busy, let the target go on
  }
  return false;
}

// Runs `check` for a program in each interpreter.
void with_each_python(
    const std::string& source,
    const std::function<void(PythonProgram&, PythonTarget&, const std::string&)>& check) {
  const auto pythons = testing::pythons();
  if (pythons.empty()) GTEST_SKIP() << "no CPython 3.8 to 3.13 on this machine";
  for (const std::string& python : pythons) {
    SCOPED_TRACE(python);
    PythonProgram program(python, source);
    const std::string answer = program.wait_until_ready();
    auto target = PythonTarget::open(program.pid());
    ASSERT_TRUE(target.has_value()) << target.error().message;
    EXPECT_EQ(target.value().minor(), minor_in_name(python));
    check(program, target.value(), answer);
  }
}

TEST(PythonTarget, ReadsNamesFilesAndLinesOfNestedCalls) {
  const std::string source = R"py(import sys
class Model:
    def forward(self):
        return inner(
            1)
def inner(x):
    print("ready", flush=True)
    sys.stdin.read()
Model().forward()
)py";
  with_each_python(source, [](PythonProgram& program, PythonTarget& target, const std::string&) {
    const std::string model = target.minor() >= 11 ? "Model.forward:4 " : "forward:4 ";
    const std::string want = "inner:8 " + model + "<module>:9 ";
    Sample sample;
    const bool found = sample_until(target, sample, [&] {
      return sample.threads.size() == 1 && shown(target, sample, sample.threads[0]) == want &&
             !sample.threads[0].holds_gil;
    });
    ASSERT_TRUE(found) << shown(target, sample, sample.threads.at(0)) << " want " << want;
    const ThreadStack& thread = sample.threads[0];
    EXPECT_EQ(thread.tid, program.pid());
    EXPECT_FALSE(thread.truncated || thread.invalid);
    const Function& inner = target.functions()[sample.stack_of(thread)[0].function];
    EXPECT_EQ(inner, (Function{"inner", "<string>", 6}));
    EXPECT_TRUE(sample_until(target, sample, [&] {
      return sample.threads[0].activity == Activity::kIdle && sample.threads[0].unchanged;
    }));
  });
}

TEST(PythonTarget, ReadsGeneratorsCoroutinesAndCallsThroughC) {
  const std::string source = R"py(import sys
def outer():
    yield from inner()
def inner():
    sorted([1], key=key)
    yield 1
def key(x):
    async_main().send(None)
async def async_main():
    print("ready", flush=True)
    sys.stdin.read()
next(outer())
)py";
  with_each_python(source, [](PythonProgram&, PythonTarget& target, const std::string&) {
    const std::string want = "async_main:11 key:8 inner:5 outer:3 <module>:12 ";
    Sample sample;
    EXPECT_TRUE(sample_until(target, sample, [&] {
      return !sample.threads.empty() && shown(target, sample, sample.threads[0]) == want;
    })) << shown(target, sample, sample.threads.at(0));
  });
}

TEST(PythonTarget, TellsBusyFromIdleThreadsAndWhoHoldsTheGil) {
  const std::string source = R"py(import threading, sys
def sleeper():
    print("sleeper", threading.get_native_id(), flush=True)
    started.release()
    threading.Event().wait()
def spinner():
    print("spinner", threading.get_native_id(), flush=True)
    started.release()
    while True:
        pass
started = threading.Semaphore(0)
for target in sleeper, spinner:
    threading.Thread(target=target, daemon=True).start()
    started.acquire()
print("ready", flush=True)
sys.stdin.read()
)py";
  with_each_python(
      source, [](PythonProgram& program, PythonTarget& target, const std::string& answer) {
        std::istringstream words(answer);
        std::string name;
        pid_t sleeper = 0;
        pid_t spinner = 0;
        words >> name >> sleeper >> name >> spinner;
        Sample sample;
        const auto of = [&sample](pid_t tid) {
          const auto found = std::ranges::find(sample.threads, tid, &ThreadStack::tid);
          return found == sample.threads.end() ? ThreadStack{} : *found;
        };
        EXPECT_TRUE(sample_until(target, sample, [&] {
          return of(spinner).holds_gil && of(spinner).activity == Activity::kBusy &&
                 of(sleeper).activity == Activity::kIdle &&
                 of(program.pid()).activity == Activity::kIdle;
        }));
        EXPECT_EQ(sample.threads.size(), 3U);
        EXPECT_FALSE(of(sleeper).holds_gil);
        const std::string stack = shown(target, sample, of(spinner));
        EXPECT_TRUE(stack.starts_with("spinner:")) << stack;
        EXPECT_NE(shown(target, sample, of(sleeper)).find("sleeper:5 "), std::string::npos);
        EXPECT_EQ(target.counters().threads_seen, 3U);
      });
}

TEST(PythonTarget, NativeCodeThatGaveTheGilBackIsBusy) {
  const std::string source = R"py(import hashlib, threading
data = bytes(1 << 26)
def work():
    while True:
        hashlib.sha256(data)
threading.Thread(target=work, daemon=True).start()
print("ready", flush=True)
threading.Event().wait()
)py";
  with_each_python(source, [](PythonProgram&, PythonTarget& target, const std::string&) {
    Sample sample;
    EXPECT_TRUE(sample_until(target, sample, [&] {
      return std::ranges::any_of(sample.threads, [&](const ThreadStack& thread) {
        return shown(target, sample, thread).starts_with("work:5") && !thread.holds_gil &&
               thread.activity == Activity::kBusy;
      });
    }));
  });
}

TEST(PythonTarget, CutsARecursionOfTenThousandFramesAndSaysSo) {
  const std::string source = R"py(import sys, threading
def deep(n):
    if n:
        return deep(n - 1)
    print("ready", flush=True)
    sys.stdin.read()
sys.setrecursionlimit(20000)
threading.stack_size(256 << 20)
thread = threading.Thread(target=deep, args=(10000,))
thread.start()
thread.join()
)py";
  with_each_python(source, [](PythonProgram&, PythonTarget& target, const std::string&) {
    Sample sample;
    const auto truncated = [&] {
      return std::ranges::find(sample.threads, true, &ThreadStack::truncated);
    };
    ASSERT_TRUE(sample_until(target, sample, [&] {
      return truncated() != sample.threads.end() &&
             shown(target, sample, *truncated()).starts_with("deep:6 deep:4 ");
    }));
    EXPECT_EQ(truncated()->frame_count, kMaxFrames);
    EXPECT_GT(target.counters().truncated_stacks, 0U);
  });
}

TEST(PythonTarget, NoticesThatAnAddressBelongsToAnotherCodeObject) {
  const std::string source = R"py(import gc
gc.disable()
print("ready", flush=True)
number = 0
while True:
    number += 1
    exec(f"def f{number}():\n for k in range(3000): pass\nf{number}()")
)py";
  with_each_python(source, [](PythonProgram&, PythonTarget& target, const std::string&) {
    // The numbers in the names only rise: a name that was kept for too long shows by falling back.
    Sample sample;
    long last = 0;
    std::set<long> seen;
    const auto number = [&]() -> long {
      for (const Frame& frame : sample.frames) {
        const std::string& name = target.functions()[frame.function].name;
        if (name.size() > 1 && name[0] == 'f') return std::stol(name.substr(1));
      }
      return 0;
    };
    EXPECT_TRUE(sample_until(target, sample, [&] {
      if (const long now = number(); now != 0) {
        EXPECT_GE(now, last);
        last = std::max(last, now);
        seen.insert(now);
      }
      return seen.size() >= 20;
    })) << seen.size();
  });
}

TEST(PythonTarget, KeepsUnicodeAndLineBreaksInNames) {
  const std::string source = R"py(import sys
def wait():
    print("ready", flush=True)
    sys.stdin.read()
def run(code, name, file):
    new = {"co_name": name, "co_filename": file}
    if sys.version_info >= (3, 11): new["co_qualname"] = name
    run.__code__ = wait.__code__
    exec(code.replace(**new), {"wait": wait})
code = compile("wait()", "x", "exec")
run(code, "na\u00efve\n\u540d\U0001f600", "/tmp/a\nb\u00fc.py")
)py";
  with_each_python(source, [](PythonProgram&, PythonTarget& target, const std::string&) {
    Sample sample;
    ASSERT_TRUE(sample_until(target, sample, [&] { return sample.frames.size() == 4; }));
    const Function& function = target.functions()[sample.frames[1].function];
    EXPECT_EQ(function.name, "naïve\n名😀");
    EXPECT_EQ(function.file, "/tmp/a\nbü.py");
  });
}

// Two chains of calls that share no function. A stack of both at once never existed.
TEST(PythonTarget, StacksThatChangeAllTheTimeAreReadConsistently) {
  const std::string source = R"py(
def a1(): a2(); a2()
def a2(): a3(); a3()
def a3(): a4(); a4()
def a4(): pass
def b1(): b2(); b2()
def b2(): b3(); b3()
def b3(): b4(); b4()
def b4(): pass
print("ready", flush=True)
while True:
    a1()
    b1()
)py";
  with_each_python(source, [](PythonProgram&, PythonTarget& target, const std::string&) {
    constexpr int kSamples = 4000;
    Sample sample;
    int impossible = 0;
    for (int k = 0; k < kSamples; ++k) {
      ASSERT_TRUE(target.sample(sample).has_value());
      std::string kinds;
      for (const Frame& frame : sample.frames) {
        const std::string& name = target.functions()[frame.function].name;
        if (name != "<module>") kinds += name;
      }
      const bool has_a = kinds.find('a') != std::string::npos;
      const bool has_b = kinds.find('b') != std::string::npos;
      impossible += has_a && has_b ? 1 : 0;
    }
    const Counters counters = target.counters();
    RecordProperty("python3." + std::to_string(target.minor()),
                   std::to_string(impossible) + " impossible, " +
                       std::to_string(counters.invalid_samples) + " invalid");
    EXPECT_LE(impossible, kSamples / 100);
    EXPECT_LE(counters.invalid_samples, kSamples / 100U);
  });
}

TEST(PythonTarget, ATargetThatEndsWhileItIsReadIsNotFound) {
  const std::string source = R"py(import sys, threading
def spin():
    while True: sum(range(10))
for _ in range(3):
    threading.Thread(target=spin, daemon=True).start()
print("ready", flush=True)
sys.stdin.read()
)py";
  with_each_python(source, [](PythonProgram& program, PythonTarget& target, const std::string&) {
    Sample sample;
    EXPECT_TRUE(sample_until(target, sample, [&] { return sample.threads.size() == 4; }));
    program.close_input();
    Status status = ok();
    while (status) status = target.sample(sample);
    EXPECT_EQ(status.error().code, ErrorCode::kNotFound) << status.error().message;
    EXPECT_TRUE(sample.threads.empty());
    program.wait();
    EXPECT_EQ(PythonTarget::open(program.pid()).error().code, ErrorCode::kNotFound);
  });
}

TEST(PythonTarget, ATargetThatBecomesAnotherProgramIsNotFound) {
  const std::string source = R"py(import os, sys
print("ready", flush=True)
sys.stdin.read()
os.execv("/bin/sleep", ["sleep", "1000"])
)py";
  with_each_python(source, [](PythonProgram& program, PythonTarget& target, const std::string&) {
    program.close_input();
    Sample sample;
    Status status = ok();
    while (status) status = target.sample(sample);
    EXPECT_EQ(status.error().code, ErrorCode::kNotFound) << status.error().message;
  });
}

TEST(PythonTarget, ThreadsThatComeAndGoAreFollowed) {
  const std::string source = R"py(import threading
print("ready", flush=True)
def work(): sum(range(200))
while True:
    threads = [threading.Thread(target=work) for _ in range(5)]
    for t in threads: t.start()
    for t in threads: t.join()
)py";
  with_each_python(source, [](PythonProgram&, PythonTarget& target, const std::string&) {
    Sample sample;
    EXPECT_TRUE(sample_until(target, sample, [&] { return target.counters().threads_seen >= 50; }));
    EXPECT_LE(target.counters().invalid_stacks * 20, target.counters().stacks);
  });
}

TEST(PythonTarget, AForkedChildHasItsOwnThreadNumber) {
  const std::string source = R"py(import os, sys
pid = os.fork()
if pid == 0:
    sys.stdin.read()
    os._exit(0)
print(pid, flush=True)
print("ready", flush=True)
sys.stdin.read()
)py";
  with_each_python(source, [](PythonProgram&, PythonTarget&, const std::string& answer) {
    const pid_t child = static_cast<pid_t>(std::stol(answer));
    auto target = PythonTarget::open(child);
    ASSERT_TRUE(target.has_value()) << target.error().message;
    Sample sample;
    ASSERT_TRUE(target.value().sample(sample).has_value());
    ASSERT_EQ(sample.threads.size(), 1U);
    EXPECT_EQ(sample.threads[0].tid, child);
  });
}

}  // namespace
}  // namespace latido::stacks
