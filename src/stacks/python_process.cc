#include "stacks/python_process.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <string_view>
#include <vector>

#include "base/unique_fd.h"
#include "stacks/byte_view.h"
#include "stacks/elf_symbols.h"
#include "stacks/memory_map.h"

namespace latido::stacks {
namespace {

constexpr std::size_t kMaxMapBytes = std::size_t{64} << 20;
constexpr std::array<std::string_view, 3> kSymbols = {"_PyRuntime", "PyCode_Type", "Py_Version"};
constexpr std::array<std::string_view, 1> kSections = {".PyRuntime"};  // from 3.13

std::string proc_path(pid_t pid, const char* name) {
  return "/proc/" + std::to_string(pid) + "/" + name;
}

Result<std::string> read_map(pid_t pid) {
  const UniqueFd fd(::open(proc_path(pid, "maps").c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd && (errno == EACCES || errno == EPERM)) return not_permitted(pid);
  if (!fd) return process_gone(pid);
  std::string text;
  std::array<char, 65536> buffer;  // NOLINT: filled below
  while (text.size() < kMaxMapBytes) {
    const ssize_t got = ::read(fd.get(), buffer.data(), buffer.size());
    if (got < 0 && (errno == EACCES || errno == EPERM)) return not_permitted(pid);
    if (got <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return text;
}

// Gone, or a zombie. Alive without memory is one only for a moment, between two programs.
bool is_dead(pid_t pid) {
  const UniqueFd fd(::open(proc_path(pid, "stat").c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return true;
  std::array<char, 512> buffer{};
  const ssize_t got = ::read(fd.get(), buffer.data(), buffer.size());
  if (got <= 0) return true;
  // "pid (name) state …"; the name may hold anything, the state comes after the last bracket.
  const std::string_view text(buffer.data(), static_cast<std::size_t>(got));
  const std::size_t bracket = text.rfind(')');
  if (bracket == std::string_view::npos || bracket + 2 >= text.size()) return true;
  const char state = text[bracket + 2];
  return state == 'Z' || state == 'X';
}

std::string exe_of(pid_t pid) {
  std::array<char, 4096> buffer;  // NOLINT: filled below
  const ssize_t got = ::readlink(proc_path(pid, "exe").c_str(), buffer.data(), buffer.size());
  std::string path(buffer.data(), got <= 0 ? 0 : static_cast<std::size_t>(got));
  constexpr std::string_view kDeleted = " (deleted)";
  if (path.ends_with(kDeleted)) path.resize(path.size() - kDeleted.size());
  return path;
}

// The file as the process sees it. Never waits, whatever has taken the file's place since.
UniqueFd open_mapped(pid_t pid, const std::string& path, const std::string& exe) {
  const std::string place = path == exe ? proc_path(pid, "exe") : proc_path(pid, "root") + path;
  UniqueFd fd(::open(place.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (fd && (::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode))) fd.reset();
  return fd;
}

Result<ElfFacts> read_elf(int fd) {
  const ReadAt read_at = [fd](std::uint64_t offset, std::span<std::byte> into) {
    if (offset > static_cast<std::uint64_t>(INT64_MAX) - into.size()) return false;
    const ssize_t got = ::pread(fd, into.data(), into.size(), static_cast<off_t>(offset));
    return got >= 0 && static_cast<std::size_t>(got) == into.size();
  };
  return find_elf_symbols(read_at, kSymbols, kSections);
}

// The interpreter's file: the library before the program, anything else last.
std::vector<MappedFile> candidates(std::vector<MappedFile> files, const std::string& exe) {
  const auto rank = [&exe](const MappedFile& file) {
    if (file.path.find("/libpython") != std::string::npos) return 0;
    return file.path == exe ? 1 : 2;
  };
  std::erase_if(files, [&](const MappedFile& file) {
    return rank(file) == 2 && !is_named_like_python(file.path);
  });
  std::ranges::stable_sort(files, {}, rank);
  return files;
}

std::optional<std::uint64_t> address_of(const ElfFacts& facts, const MappedFile& file,
                                        const char* symbol) {
  const auto found = facts.symbols.find(symbol);
  if (found == facts.symbols.end()) return std::nullopt;
  return found->second + file.begin - facts.first_load_address;
}

Error unsupported_version(int minor) {
  return {ErrorCode::kUnsupported,
          "Python 3." + std::to_string(minor) + " is not supported (3.8 to 3.13 are)"};
}

// 0x030B07F0 for 3.11.7; 0 where the interpreter has no such number (before 3.11).
std::uint64_t version_number(MemorySource& memory, const ElfFacts& facts, const MappedFile& file) {
  const auto place = address_of(facts, file, "Py_Version");
  if (!place) return 0;
  std::array<std::byte, 8> bytes{};
  MemoryRange range{*place, bytes, false};
  if (!memory.read({&range, 1}) || !range.copied) return 0;
  return ByteView(bytes).u64(0);
}

Result<Layout> declared_layout(MemorySource& memory, std::uint64_t runtime) {
  std::array<std::byte, kDebugOffsetsBytes> bytes{};
  MemoryRange range{runtime, bytes, false};
  if (auto status = memory.read({&range, 1}); !status) return std::move(status).error();
  if (!range.copied) return Error{ErrorCode::kUnavailable, "the interpreter cannot be read yet"};
  return parse_debug_offsets(bytes);
}

Result<Layout> find_layout(MemorySource& memory, const ElfFacts& facts, const MappedFile& file,
                           std::uint64_t runtime, const std::string& exe) {
  const std::uint64_t version = version_number(memory, facts, file);
  int minor = static_cast<int>(version >> 16 & 0xFF);
  if (version == 0) minor = minor_in_name(file.path);
  if (minor < 0) minor = minor_in_name(exe);
  // 3.13 and newer say it themselves, also when their names say nothing.
  if (minor >= 13 || minor < 0) {
    auto layout = declared_layout(memory, runtime);
    if (!layout && minor < 0 && layout.error().code == ErrorCode::kDataLoss) {
      return Error{ErrorCode::kUnsupported, "its Python version cannot be told from " + file.path};
    }
    if (!layout && minor > kNewestMinor) return unsupported_version(minor);
    return layout;
  }
  if (facts.machine != kMachineAmd64) {
    return Error{ErrorCode::kUnsupported,
                 "Python 3." + std::to_string(minor) +
                     " on this kind of processor is not supported (3.13 is)"};
  }
  const auto row = layout_of(minor);
  if (!row) return unsupported_version(minor);
  return *row;
}

// Also checks that the layout fits: what it says is an interpreter must be readable memory.
Result<PythonProcess> try_file(pid_t pid, MemorySource& memory, const MappedFile& file,
                               const std::string& exe) {
  const UniqueFd fd = open_mapped(pid, file.path, exe);
  if (!fd)
    return Error{ErrorCode::kUnavailable,
                 "cannot open " + file.path + " as process " + std::to_string(pid) + " sees it"};
  const auto facts = read_elf(fd.get());
  if (!facts) return Error(facts.error()).with_context(file.path);
  auto runtime = address_of(facts.value(), file, "_PyRuntime");
  const auto section = facts.value().sections.find(".PyRuntime");
  if (!runtime && section != facts.value().sections.end()) {
    runtime = section->second + file.begin - facts.value().first_load_address;
  }
  if (!runtime) return Error{ErrorCode::kInvalidInput, file.path + " holds no interpreter"};
  auto layout = find_layout(memory, facts.value(), file, *runtime, exe);
  if (!layout) return std::move(layout).error().with_context(file.path);
  return PythonProcess{.layout = layout.value(),
                       .runtime = *runtime,
                       .code_type = address_of(facts.value(), file, "PyCode_Type").value_or(0),
                       .file = file.path};
}

Error no_python(pid_t pid, const std::vector<MappedFile>& files, const std::string& exe) {
  const auto named = std::ranges::find_if(
      files, [](const MappedFile& file) { return is_named_like_python(file.path); });
  const std::string who = "process " + std::to_string(pid);
  if (named == files.end()) {
    return {ErrorCode::kInvalidInput, who + " runs no CPython (" + exe + ")"};
  }
  const int minor = minor_in_name(named->path);
  if (minor >= 0 && minor < kOldestMinor) return unsupported_version(minor);
  return {ErrorCode::kUnsupported,
          who + " seems to run Python, but " + named->path +
              " has no symbol _PyRuntime: it was stripped of all symbols, or is older than 3.8"};
}

}  // namespace

Result<PythonProcess> find_python(pid_t pid, MemorySource& memory) {
  const auto text = read_map(pid);
  if (!text) return text.error();
  const std::string exe = exe_of(pid);
  if (text.value().empty() || exe.empty()) {
    if (is_dead(pid)) return process_gone(pid);
    return Error{ErrorCode::kInvalidInput, "process " + std::to_string(pid) +
                                               " runs no CPython: it is becoming another program"};
  }
  const auto files = candidates(parse_memory_map(text.value()), exe);
  std::optional<Error> first_error;
  for (const MappedFile& file : files) {
    auto found = try_file(pid, memory, file, exe);
    if (found) return found;
    if (found.error().code != ErrorCode::kInvalidInput && !first_error) first_error = found.error();
  }
  if (first_error) return *first_error;
  return no_python(pid, files, exe);
}

}  // namespace latido::stacks
