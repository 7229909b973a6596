#include "base/redact_flags.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/redact.h"

namespace latido {
namespace {

struct PasswordFlag {
  std::string_view program;
  std::string_view flag;
};

constexpr std::array<PasswordFlag, 14> kPasswordFlags{{{"mysql", "-p"},
                                                       {"mysqladmin", "-p"},
                                                       {"mysqldump", "-p"},
                                                       {"mysqlimport", "-p"},
                                                       {"mariadb", "-p"},
                                                       {"mariadb-admin", "-p"},
                                                       {"mariadb-dump", "-p"},
                                                       {"mongo", "-p"},
                                                       {"mongosh", "-p"},
                                                       {"mongodump", "-p"},
                                                       {"mongorestore", "-p"},
                                                       {"sshpass", "-p"},
                                                       {"redis-cli", "-a"},
                                                       {"ldapsearch", "-w"}}};

// Their -p is a partition, a port, a plug-in or no value at all, their -u a user and a group.
constexpr std::array<std::string_view, 11> kWithoutPassword{
    "srun", "sbatch", "salloc", "docker", "podman", "pytest", "mkdir", "cp", "scp", "tar", "psql"};

constexpr std::array<std::string_view, 4> kUserFlags{"-u", "-U", "--user", "--proxy-user"};
constexpr std::string_view kCurl = "curl";

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool is_without_password(std::string_view program) {
  return std::ranges::find(kWithoutPassword, program) != kWithoutPassword.end();
}

bool is_known(std::string_view program) {
  return program == kCurl || is_without_password(program) ||
         std::ranges::find(kPasswordFlags, program, &PasswordFlag::program) != kPasswordFlags.end();
}

bool ends_command(std::string_view word) {
  return word == "|" || word == "||" || word == "&&" || word == ";" || word.ends_with(';');
}

bool consists_of(std::string_view text, std::string_view chars) {
  return text.find_first_not_of(chars) == std::string_view::npos;
}

constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz_-";

bool is_number(std::string_view text) { return consists_of(text, "0123456789.,:eE+-"); }

bool is_path(std::string_view text) {
  if (text.starts_with('/') || text.starts_with('.') || text.starts_with('~')) return true;
  const std::size_t dot = text.rfind('.');
  const bool has_ending = dot != std::string_view::npos && dot > 0 && text.size() - dot <= 6 &&
                          text.size() - dot > 1 && consists_of(text.substr(dot + 1), kLower);
  // In lower case only: base64 has slashes, too.
  return has_ending || (text.find('/') != std::string_view::npos &&
                        consists_of(text, "abcdefghijklmnopqrstuvwxyz_-0123456789./"));
}

// "gpu", "bf16", "float32".
bool is_plain_word(std::string_view text) {
  for (const std::string_view bits : {"8", "16", "32", "64"}) {
    if (text.ends_with(bits) && text.size() > bits.size()) {
      return consists_of(text.substr(0, text.size() - bits.size()), kLower);
    }
  }
  return consists_of(text, kLower);
}

bool is_harmless(std::string_view value) {
  return is_number(value) || is_path(value) || is_plain_word(value);
}

// "user:SECRET" → "user:[redacted]"; "1000:1000", "host:80" and "https://host" stay.
std::string hide_after_user(std::string_view value) {
  const std::size_t colon = value.find(':');
  if (colon == std::string_view::npos) return std::string(value);
  const std::string_view secret = value.substr(colon + 1);
  if (secret.starts_with("//") || consists_of(secret, "0123456789")) return std::string(value);
  return std::string(value.substr(0, colon + 1)) + std::string(kRedacted);
}

}  // namespace

std::string ShortFlags::take(std::string_view argument) {
  const Pending pending = std::exchange(pending_, Pending::kNothing);
  if (pending == Pending::kUser) return hide_after_user(argument);
  if (argument.starts_with('-')) return take_flag(argument);
  if (pending == Pending::kPassword) return std::string(kRedacted);
  if (pending == Pending::kMaybePassword && !is_harmless(argument)) return std::string(kRedacted);
  const std::string_view name = file_name(argument);
  if (is_known(name)) {
    program_ = name;
  } else if (ends_command(argument)) {
    program_.clear();
  }
  return std::string(argument);
}

std::string ShortFlags::take_flag(std::string_view flag) {
  const auto password = std::ranges::find(kPasswordFlags, program_, &PasswordFlag::program);
  if (password != kPasswordFlags.end() && flag.starts_with(password->flag)) {
    if (flag.size() > password->flag.size()) {
      return std::string(password->flag) + std::string(kRedacted);
    }
    pending_ = Pending::kPassword;
    return std::string(flag);
  }
  if (is_without_password(program_)) return std::string(flag);
  if (flag == "-p") pending_ = Pending::kMaybePassword;
  for (const std::string_view user : kUserFlags) {
    if (flag == user) pending_ = Pending::kUser;
    const bool attached = user.size() == 2 && program_ == kCurl && flag.starts_with(user);
    const bool assigned = user.size() > 2 && flag.starts_with(std::string(user) + "=");
    if (flag != user && (attached || assigned)) return hide_after_user(flag);
  }
  return std::string(flag);
}

}  // namespace latido
