#include "symbols/module_symbols.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "symbols/native_name.h"

namespace latido::symbols {
namespace {

struct ElfEnd {
  void operator()(Elf* elf) const noexcept { elf_end(elf); }
};
struct DwarfEnd {
  void operator()(Dwarf* dwarf) const noexcept { dwarf_end(dwarf); }
};
using ElfHandle = std::unique_ptr<Elf, ElfEnd>;
using DwarfHandle = std::unique_ptr<Dwarf, DwarfEnd>;

// An ELF file that is open. The file may be anything: a pipe or a device is not waited for.
struct ElfFile {
  UniqueFd fd;
  struct stat status {};
  ElfHandle elf;
};

Result<ElfFile> open_elf(const std::string& path) {
  ElfFile file;
  file.fd = UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file.fd) return errno_error(errno, path);
  if (::fstat(file.fd.get(), &file.status) != 0) return errno_error(errno, path);
  if (!S_ISREG(file.status.st_mode)) return Error{ErrorCode::kInvalidInput, path + ": no file"};
  elf_version(EV_CURRENT);
  file.elf.reset(elf_begin(file.fd.get(), ELF_C_READ_MMAP, nullptr));
  if (!file.elf || elf_kind(file.elf.get()) != ELF_K_ELF) {
    return Error{ErrorCode::kInvalidInput, path + ": no program or shared library"};
  }
  return file;
}

// The build id among the notes of one segment; empty when there is none.
std::string build_id_in(Elf_Data* notes) {
  GElf_Nhdr note;
  std::size_t name = 0;
  std::size_t id = 0;
  for (std::size_t at = 0; (at = gelf_getnote(notes, at, &note, &name, &id)) > 0;) {
    const std::string_view bytes(static_cast<const char*>(notes->d_buf), notes->d_size);
    if (note.n_type != NT_GNU_BUILD_ID ||
        bytes.substr(name, note.n_namesz) != std::string_view("GNU", 4)) {
      continue;
    }
    std::string text;
    for (const char c : bytes.substr(id, note.n_descsz)) {
      const auto byte = static_cast<unsigned char>(c);
      text += "0123456789abcdef"[byte >> 4U];
      text += "0123456789abcdef"[byte & 15U];
    }
    return text;
  }
  return {};
}

std::string build_id_of(Elf* elf) {
  std::size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) return {};
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf, static_cast<int>(i), &segment) == nullptr) return {};
    if (segment.p_type != PT_NOTE) continue;
    const Elf_Type type = segment.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR;
    Elf_Data* const notes = elf_getdata_rawchunk(elf, static_cast<std::int64_t>(segment.p_offset),
                                                 segment.p_filesz, type);
    if (notes == nullptr) continue;
    if (std::string id = build_id_in(notes); !id.empty()) return id;
  }
  return {};
}

bool is_same(const ElfFile& file, std::string_view identity) {
  const std::string build_id = build_id_of(file.elf.get());
  if (!build_id.empty()) return build_id == identity;
  const FileIdentity now{.inode = file.status.st_ino,
                         .size_bytes = static_cast<std::uint64_t>(file.status.st_size),
                         .modified_s = static_cast<std::uint64_t>(file.status.st_mtim.tv_sec),
                         .modified_ns = static_cast<std::uint64_t>(file.status.st_mtim.tv_nsec)};
  return parse_file_identity(identity) == now;
}

// Names the functions at the wanted addresses.
class SymbolFinder {
 public:
  SymbolFinder(std::span<const std::uint64_t> addresses, const OnSymbol& on_symbol)
      : on_symbol_(on_symbol) {
    for (std::size_t i = 0; i < addresses.size(); ++i) wanted_[addresses[i]].index.push_back(i);
  }

  void read_symbol_tables(Elf* elf);
  void read_debug_information(Dwarf* dwarf);
  void tell_names() const;

 private:
  struct Wanted {
    std::vector<std::size_t> index;
    std::string name;
    bool global = false;
    bool told = false;
  };

  void read_table(Elf* elf, Elf_Scn* section, const GElf_Shdr& header);
  std::vector<std::uint64_t> wanted_in(Dwarf_Die* unit) const;
  void read_function(Dwarf_Die* function, Dwarf_Die* unit);
  void read_line(std::uint64_t address, Dwarf_Die* unit);
  void tell(Wanted& wanted, const Symbol& symbol);
  static int on_function(Dwarf_Die* function, void* self);

  const OnSymbol& on_symbol_;
  std::map<std::uint64_t, Wanted> wanted_;
  Dwarf_Die* unit_ = nullptr;  // whose functions are being read
};

void SymbolFinder::read_symbol_tables(Elf* elf) {
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    if (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM) {
      read_table(elf, section, header);
    }
  }
}

void SymbolFinder::read_table(Elf* elf, Elf_Scn* section, const GElf_Shdr& header) {
  Elf_Data* const data = elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return;
  const std::size_t count = data->d_size / header.sh_entsize;
  for (std::size_t i = 0; i < count && i <= INT32_MAX; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) return;
    if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
    const auto it = wanted_.find(symbol.st_value);
    if (it == wanted_.end()) continue;
    // Of several names of one function the global one is what people know it by.
    const bool global = GELF_ST_BIND(symbol.st_info) != STB_LOCAL;
    if (!it->second.name.empty() && (it->second.global || !global)) continue;
    const char* const name = elf_strptr(elf, header.sh_link, symbol.st_name);
    if (name == nullptr || name[0] == '\0') continue;
    it->second.name = demangle(name);
    it->second.global = global;
  }
}

void SymbolFinder::tell_names() const {
  for (const auto& [address, wanted] : wanted_) {
    if (wanted.name.empty()) continue;
    for (const std::size_t index : wanted.index)
      on_symbol_(index, {.name = wanted.name, .file = {}, .line = 0});
  }
}

std::vector<std::uint64_t> SymbolFinder::wanted_in(Dwarf_Die* unit) const {
  std::vector<std::uint64_t> found;
  Dwarf_Addr base = 0;
  Dwarf_Addr begin = 0;
  Dwarf_Addr end = 0;
  std::ptrdiff_t offset = 0;
  while ((offset = dwarf_ranges(unit, offset, &base, &begin, &end)) > 0) {
    for (auto it = wanted_.lower_bound(begin); it != wanted_.end() && it->first < end; ++it) {
      found.push_back(it->first);
    }
  }
  return found;
}

void SymbolFinder::read_debug_information(Dwarf* dwarf) {
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die;
  while (dwarf_get_units(dwarf, unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
    if (dwarf_tag(&die) != DW_TAG_compile_unit) continue;
    const std::vector<std::uint64_t> here = wanted_in(&die);
    if (here.empty()) continue;
    unit_ = &die;
    dwarf_getfuncs(&die, &SymbolFinder::on_function, this, 0);
    for (const std::uint64_t address : here) read_line(address, &die);
  }
}

int SymbolFinder::on_function(Dwarf_Die* function, void* self) {
  auto& finder = *static_cast<SymbolFinder*>(self);
  finder.read_function(function, finder.unit_);
  return DWARF_CB_OK;
}

// With the folder of the compilation before a relative path.
std::string whole_path(const char* file, Dwarf_Die* unit) {
  if (file == nullptr) return {};
  Dwarf_Attribute attribute;
  const char* const folder =
      file[0] == '/' ? nullptr : dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
  return folder == nullptr ? file : std::string(folder) + "/" + file;
}

std::uint32_t line_of(int line) { return line > 0 ? static_cast<std::uint32_t>(line) : 0; }

void SymbolFinder::tell(Wanted& wanted, const Symbol& symbol) {
  wanted.told = true;
  for (const std::size_t index : wanted.index) on_symbol_(index, symbol);
}

void SymbolFinder::read_function(Dwarf_Die* function, Dwarf_Die* unit) {
  Dwarf_Addr address = 0;
  if (dwarf_entrypc(function, &address) != 0) return;
  const auto it = wanted_.find(address);
  if (it == wanted_.end() || it->second.told) return;
  int line = 0;
  if (dwarf_decl_line(function, &line) != 0) return;
  const char* file = dwarf_decl_file(function);
  if (file == nullptr) {  // elfutils before 0.189 refuses the first file of DWARF 5
    file = dwarf_linesrc(dwarf_getsrc_die(unit, address), nullptr, nullptr);
  }
  Symbol symbol{.name = it->second.name, .file = whole_path(file, unit), .line = line_of(line)};
  if (symbol.name.empty()) {
    Dwarf_Attribute attribute;
    const char* name =
        dwarf_formstring(dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute));
    if (name == nullptr) name = dwarf_diename(function);
    if (name == nullptr) return;
    symbol.name = demangle(name);
  }
  tell(it->second, symbol);
}

// Clang's -g1 describes lines only, not functions: then the first line of the code.
void SymbolFinder::read_line(std::uint64_t address, Dwarf_Die* unit) {
  Wanted& wanted = wanted_.find(address)->second;
  if (wanted.told || wanted.name.empty()) return;
  Dwarf_Line* const row = dwarf_getsrc_die(unit, address);
  int line = 0;
  if (row == nullptr || dwarf_lineno(row, &line) != 0) return;
  tell(wanted, {.name = wanted.name,
                .file = whole_path(dwarf_linesrc(row, nullptr, nullptr), unit),
                .line = line_of(line)});
}

// Debian and others keep debug information apart, in a file named by the build id.
std::optional<ElfFile> open_separate(std::string_view identity) {
  if (identity.size() < 3 || identity.find_first_not_of("0123456789abcdef") != identity.npos) {
    return std::nullopt;
  }
  auto file = open_elf("/usr/lib/debug/.build-id/" + std::string(identity.substr(0, 2)) + "/" +
                       std::string(identity.substr(2)) + ".debug");
  if (!file || !is_same(file.value(), identity)) return std::nullopt;
  return std::move(file).value();
}

bool has_debug_information(Dwarf* dwarf) {
  Dwarf_CU* unit = nullptr;
  return dwarf != nullptr &&
         dwarf_get_units(dwarf, nullptr, &unit, nullptr, nullptr, nullptr, nullptr) == 0;
}

}  // namespace

Status find_symbols(const std::string& path, std::string_view identity,
                    std::span<const std::uint64_t> addresses, const OnSymbol& on_symbol) {
  auto file = open_elf(path);
  if (!file) return std::move(file).error();
  if (!is_same(file.value(), identity)) {
    return Error{ErrorCode::kDataLoss, path + ": was built again since it was recorded"};
  }
  SymbolFinder finder(addresses, on_symbol);
  finder.read_symbol_tables(file.value().elf.get());
  DwarfHandle dwarf(dwarf_begin_elf(file.value().elf.get(), DWARF_C_READ, nullptr));
  std::optional<ElfFile> separate;
  if (!has_debug_information(dwarf.get())) {
    separate = open_separate(identity);
    if (separate) {
      finder.read_symbol_tables(separate->elf.get());
      dwarf.reset(dwarf_begin_elf(separate->elf.get(), DWARF_C_READ, nullptr));
    }
  }
  finder.tell_names();
  if (dwarf) finder.read_debug_information(dwarf.get());
  dwarf.reset();  // before the files that it reads
  return ok();
}

}  // namespace latido::symbols
