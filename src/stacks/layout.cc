#include "stacks/layout.h"

#include <algorithm>
#include <array>
#include <string>

#include "stacks/byte_view.h"

namespace latido::stacks {
namespace {

constexpr std::array kTable = {
#include "stacks/layout_table.inc"
};

// A struct of CPython is a few KiB, PyInterpreterState some 100 KiB: more is no offset.
constexpr std::uint64_t kMaxOffset = std::uint64_t{16} << 20;

// Byte positions in _Py_DebugOffsets of 3.13; each value is 8 bytes.
enum DebugOffset : std::uint32_t {
  kCookie = 0,
  kVersion = 8,
  kFreeThreaded = 16,
  kRuntimeInterpreters = 40,
  kInterpreterNext = 64,
  kInterpreterThreads = 72,
  kInterpreterGil = 112,
  kGilState = 120,
  kGilLocked = 136,
  kGilHolder = 144,
  kThreadNext = 168,
  kThreadInterpreter = 176,
  kThreadFrame = 184,
  kThreadId = 192,
  kThreadNativeId = 200,
  kFramePrevious = 232,
  kFrameExecutable = 240,
  kFrameInstruction = 248,
  kFrameOwner = 264,
  kCodeFile = 280,
  kCodeQualifiedName = 296,
  kCodeLines = 304,
  kCodeFirstLine = 312,
  kCodeBytecode = 344,
  kBytesSize = 520,
  kBytesData = 528,
  kTextState = 544,
  kTextLength = 552,
  kAsciiSize = 560,
};

constexpr std::uint64_t kCookieText = 0x7970'6775'6265'6478;  // "xdebugpy"

// PyCompactUnicodeObject adds utf8_length and utf8 to PyASCIIObject.
constexpr std::uint32_t kCompactExtraBytes = 16;

}  // namespace

std::optional<Layout> layout_of(int minor) noexcept {
  const auto* row = std::ranges::find_if(
      kTable, [minor](const Layout& l) { return l.minor == static_cast<std::uint32_t>(minor); });
  if (row == kTable.end()) return std::nullopt;
  return *row;
}

Result<Layout> parse_debug_offsets(std::span<const std::byte> bytes) {
  ByteView view(bytes);
  if (view.u64(kCookie) != kCookieText || bytes.size() < kDebugOffsetsBytes) {
    return Error{ErrorCode::kDataLoss,
                 "the interpreter's table of offsets is not where it should be"};
  }
  const std::uint64_t version = view.u64(kVersion);
  if (version >> 16 != 0x030D) {
    return Error{ErrorCode::kUnsupported, "Python " + std::to_string(version >> 24 & 0xFF) + "." +
                                              std::to_string(version >> 16 & 0xFF) +
                                              " is not supported (3.8 to 3.13 are)"};
  }
  if (view.u64(kFreeThreaded) != 0) {
    return Error{ErrorCode::kUnsupported,
                 "this is a free-threaded build of Python 3.13, which is not supported"};
  }
  bool credible = true;
  const auto offset = [&](DebugOffset at) {
    const std::uint64_t value = view.u64(at);
    credible = credible && value < kMaxOffset;
    return static_cast<std::uint32_t>(value);
  };
  // What is not declared is in the table: offsets within structs that are alike on all processors.
  Layout layout = layout_of(13).value_or(Layout{});
  layout.runtime_interpreters = offset(kRuntimeInterpreters);
  layout.interpreter_next = offset(kInterpreterNext);
  layout.interpreter_threads = offset(kInterpreterThreads);
  layout.interpreter_gil = offset(kInterpreterGil);
  // These two are counted from the interpreter's own GIL, whose place is given as well.
  const std::uint32_t gil = offset(kGilState);
  layout.gil_holder = offset(kGilHolder) - gil;
  layout.gil_locked = offset(kGilLocked) - gil;
  credible = credible && layout.gil_holder < kMaxOffset && layout.gil_locked < kMaxOffset;
  layout.gil_switches = layout.gil_locked + 8;  // the field after it; not in the table
  layout.thread_next = offset(kThreadNext);
  layout.thread_interpreter = offset(kThreadInterpreter);
  layout.thread_frame = offset(kThreadFrame);
  layout.thread_id = offset(kThreadId);
  layout.thread_native_id = offset(kThreadNativeId);
  layout.frame_previous = offset(kFramePrevious);
  layout.frame_code = offset(kFrameExecutable);
  layout.frame_instruction = offset(kFrameInstruction);
  layout.frame_owner = offset(kFrameOwner);
  layout.code_file = offset(kCodeFile);
  layout.code_name = offset(kCodeQualifiedName);
  layout.code_lines = offset(kCodeLines);
  layout.code_first_line = offset(kCodeFirstLine);
  layout.code_bytecode = offset(kCodeBytecode);
  layout.text_length = offset(kTextLength);
  layout.text_state = offset(kTextState);
  layout.ascii_size = offset(kAsciiSize);
  layout.compact_size = layout.ascii_size + kCompactExtraBytes;
  layout.bytes_size = offset(kBytesSize);
  layout.bytes_data = offset(kBytesData);
  if (!credible) {
    return Error{ErrorCode::kDataLoss, "the interpreter's table of offsets holds impossible ones"};
  }
  return layout;
}

}  // namespace latido::stacks
