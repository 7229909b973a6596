#include "capture/function_modules.h"

#include <dlfcn.h>
#include <elf.h>
#include <limits.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

namespace latido::capture {
namespace {

struct Loaded {
  std::uintptr_t start = 0;
  std::uintptr_t end = 0;
  const link_map* map = nullptr;
};

// The loader's own record of where a module lies. _dl_find_object takes no lock and may be called anywhere.
bool find_loaded(std::uintptr_t address, Loaded& loaded) noexcept {
  void* const code = reinterpret_cast<void*>(address);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 35)
  dl_find_object found{};
  if (_dl_find_object(code, &found) != 0) return false;
  loaded.start = reinterpret_cast<std::uintptr_t>(found.dlfo_map_start);
  loaded.end = reinterpret_cast<std::uintptr_t>(found.dlfo_map_end);
  loaded.map = found.dlfo_link_map;
#else
  Dl_info info{};
  void* map = nullptr;
  if (dladdr1(code, &info, &map, RTLD_DL_LINKMAP) == 0) return false;
  loaded.start = reinterpret_cast<std::uintptr_t>(info.dli_fbase);
  loaded.end = UINTPTR_MAX;
  loaded.map = static_cast<const link_map*>(map);
#endif
  return loaded.map != nullptr;
}

class TextWriter {
 public:
  TextWriter(char* at, std::size_t room) noexcept : at_(at), left_(room - 1) { *at_ = '\0'; }

  void put(char c) noexcept {
    if (left_ == 0) return;
    *at_++ = c;
    *at_ = '\0';
    --left_;
  }
  void put(const char* text) noexcept {
    for (; *text != '\0'; ++text) put(*text);
  }
  void put_hex(std::uint64_t number, unsigned digits = 1) noexcept {
    unsigned shift = 60;
    while (shift > 0 && shift / 4 >= digits && (number >> shift) == 0) shift -= 4;
    for (;; shift -= 4) {
      put("0123456789abcdef"[number >> shift & 15]);
      if (shift == 0) return;
    }
  }

 private:
  char* at_;
  std::size_t left_;
};

// What lies in memory from `begin` on.
template <typename T>
const T* at(std::uintptr_t begin) noexcept {
  return reinterpret_cast<const T*>(begin);
}

// The build id among the notes in [begin, begin + length), as hexadecimal digits; false when there is none.
bool write_build_id(std::uintptr_t begin, std::uintptr_t length, std::uintptr_t align,
                    TextWriter& into) noexcept {
  const auto padded = [align](std::uintptr_t bytes) { return (bytes + align - 1) & ~(align - 1); };
  std::uintptr_t offset = 0;
  while (offset + sizeof(ElfW(Nhdr)) <= length) {
    const auto& note = *at<ElfW(Nhdr)>(begin + offset);
    const std::uintptr_t name = offset + sizeof note;
    const std::uintptr_t id = name + padded(note.n_namesz);
    if (id > length || note.n_descsz > length - id) return false;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof "GNU" &&
        memcmp(at<char>(begin + name), "GNU", sizeof "GNU") == 0) {
      const auto* const bytes = at<unsigned char>(begin + id);
      for (std::uintptr_t i = 0; i < note.n_descsz; ++i) into.put_hex(bytes[i], 2);
      return note.n_descsz > 0;
    }
    offset = id + padded(note.n_descsz);
  }
  return false;
}

// That of a module in memory.
bool write_build_id(const Loaded& loaded, TextWriter& into) noexcept {
  const std::uintptr_t size = loaded.end - loaded.start;
  const auto& header = *at<ElfW(Ehdr)>(loaded.start);
  if (size < sizeof header || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_phoff > size || header.e_phnum > (size - header.e_phoff) / sizeof(ElfW(Phdr))) {
    return false;
  }
  const auto* const segments = at<ElfW(Phdr)>(loaded.start + header.e_phoff);
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const ElfW(Phdr)& segment = segments[i];
    const std::uintptr_t begin = loaded.map->l_addr + segment.p_vaddr;
    if (segment.p_type != PT_NOTE || begin < loaded.start || begin > loaded.end ||
        segment.p_memsz > loaded.end - begin) {
      continue;
    }
    if (write_build_id(begin, segment.p_memsz, segment.p_align == 8 ? 8 : 4, into)) return true;
  }
  return false;
}

void write_file_identity(const char* path, TextWriter& into) noexcept {
  struct stat file {};
  if (stat(path, &file) != 0) return into.put("?");
  into.put("file:");
  into.put_hex(static_cast<std::uint64_t>(file.st_ino));
  into.put(':');
  into.put_hex(static_cast<std::uint64_t>(file.st_size));
  into.put(':');
  into.put_hex(static_cast<std::uint64_t>(file.st_mtim.tv_sec));
  into.put(':');
  into.put_hex(static_cast<std::uint64_t>(file.st_mtim.tv_nsec));
}

// A path that was given relative is that from the folder of the process, as it is now.
void write_path(const link_map& map, char* into, std::size_t room) noexcept {
  TextWriter path(into, room);
  if (map.l_name == nullptr || map.l_name[0] == '\0') {
    const ssize_t length = readlink("/proc/self/exe", into, room - 1);
    into[length > 0 ? length : 0] = '\0';
    return;
  }
  if (map.l_name[0] != '/' && getcwd(into, room / 2) != nullptr) {
    path = TextWriter(into + strlen(into), room - strlen(into));
    path.put('/');
  }
  path.put(map.l_name);
}

}  // namespace

const NativeModule* NativeModules::known(std::uintptr_t start, std::uintptr_t load_bias,
                                         const char* build_id,
                                         std::uint32_t generation) const noexcept {
  const std::uint32_t count = count_.load(std::memory_order_acquire);
  for (std::uint32_t i = 0; i < count && i < kMaxModules; ++i) {
    const NativeModule& module = modules_[i];
    if (!module.ready.load(std::memory_order_acquire) || module.start != start ||
        module.load_bias != load_bias) {
      continue;
    }
    const bool same = build_id[0] != '\0' ? strcmp(module.identity, build_id) == 0
                                          : module.generation == generation;
    if (same) return &module;
  }
  return nullptr;
}

const NativeModule* NativeModules::find(std::uintptr_t address, const FunctionPatterns& patterns,
                                        std::uint32_t generation) noexcept {
  Loaded loaded;
  if (!find_loaded(address, loaded)) return nullptr;
  char build_id[kMaxIdentityBytes];
  TextWriter identity(build_id, sizeof build_id);
  const bool has_build_id = write_build_id(loaded, identity);
  if (const auto* const module = known(loaded.start, loaded.map->l_addr, build_id, generation)) {
    return module;
  }
  const std::uint32_t place = count_.fetch_add(1, std::memory_order_acq_rel);
  if (place >= kMaxModules) {
    count_.store(kMaxModules, std::memory_order_relaxed);
    return nullptr;
  }
  NativeModule& module = modules_[place];
  module.start = loaded.start;
  module.load_bias = loaded.map->l_addr;
  module.generation = generation;
  write_path(*loaded.map, module.path, sizeof module.path);
  const char* const slash = strrchr(module.path, '/');
  TextWriter(module.name, sizeof module.name).put(slash != nullptr ? slash + 1 : module.path);
  TextWriter(module.identity, sizeof module.identity).put(build_id);
  if (!has_build_id) {
    TextWriter file(module.identity, sizeof module.identity);
    write_file_identity(module.path, file);
  }
  module.wanted = patterns.wants(module.path, module.name);
  module.ready.store(true, std::memory_order_release);
  return &module;
}

bool NativeModules::unloaded_any() noexcept {
  unsigned long long unloads = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* into) noexcept {
        *static_cast<unsigned long long*>(into) = info->dlpi_subs;
        return 1;  // the same for all
      },
      &unloads);
  return unloads_.exchange(unloads, std::memory_order_relaxed) != unloads;
}

void write_native_name(const NativeModule& module, std::uintptr_t address, char* into) noexcept {
  TextWriter name(into, kMaxNativeNameBytes);
  name.put(module.name);
  name.put("+0x");
  name.put_hex(address - module.load_bias);
  name.put('#');
  name.put(module.identity);
}

}  // namespace latido::capture
