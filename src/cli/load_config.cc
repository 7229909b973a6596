#include "cli/load_config.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "session/injection.h"
#include "store/home.h"

namespace latido::cli {
namespace {

using session::environment_value;

constexpr const char* kDefaultFile = "latido.toml";
constexpr std::size_t kMaxFileBytes = 1U << 20U;

void apply_locale(Config& config, const std::vector<std::string>& environment) {
  for (const char* name : {"LATIDO_LANG", "LC_ALL", "LC_MESSAGES", "LANG"}) {
    const std::string value = environment_value(environment, name);
    if (value.empty()) continue;
    if (const auto language = report::language_from_text(value)) {
      config.settings.language = *language;
      config.origin["run.language"] = name;
    }
    return;  // the first one that is set decides, as for every program
  }
}

void apply_default_home(Config& config, const std::vector<std::string>& environment) {
  const std::string latido_home = environment_value(environment, "LATIDO_HOME");
  const store::HomeChoice choice =
      store::choose_home({.latido_home = latido_home,
                          .home = environment_value(environment, "HOME"),
                          .slurm_tmpdir = environment_value(environment, "SLURM_TMPDIR"),
                          .tmpdir = environment_value(environment, "TMPDIR"),
                          .user_id = ::getuid()});
  config.settings.home = choice.folder;
  config.settings.home_fallback = choice.fallback;
  if (!latido_home.empty()) config.origin["run.home"] = "LATIDO_HOME";
}

Status apply_named_file(Config& config, const std::string& path, bool must_exist) {
  std::ifstream file(path);
  if (!file) {
    if (!must_exist) return ok();
    return errno_error(errno, "reading " + path);
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return Error{ErrorCode::kInvalidInput, "reading " + path + ": it is a folder"};
  }
  std::string text(kMaxFileBytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() == kMaxFileBytes) {
    return Error{ErrorCode::kInvalidInput, path + ": too long for a configuration file"};
  }
  return apply_file(config, path, text);
}

// The program may change directory: what its processes connect to must not move with it.
void make_absolute(std::string& folder) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(folder, error);
  if (!error && !folder.empty()) folder = absolute.lexically_normal();
}

}  // namespace

Result<Config> load_config(const ConfigFlags& flags, const std::vector<std::string>& environment) {
  Config config;
  apply_locale(config, environment);
  apply_default_home(config, environment);

  std::string path = flags.file;
  if (path.empty()) path = environment_value(environment, "LATIDO_CONFIG");
  auto status = apply_named_file(config, path.empty() ? kDefaultFile : path, !path.empty());
  if (!status) return std::move(status).error();
  status = apply_environment(config, environment);
  if (!status) return std::move(status).error();

  for (const std::string& set : flags.sets) {
    const std::size_t equals = set.find('=');
    if (equals == std::string::npos) {
      return Error{ErrorCode::kInvalidInput, "--set wants key=value, got '" + set + "'"};
    }
    status = apply_flag(config, set.substr(0, equals), set.substr(equals + 1), "--set");
    if (!status) return std::move(status).error();
  }
  if (!flags.home.empty()) status = apply_flag(config, "run.home", flags.home, "--home");
  if (status && !flags.language.empty()) {
    status = apply_flag(config, "run.language", flags.language, "--lang");
  }
  if (!status) return std::move(status).error();
  make_absolute(config.settings.home);
  make_absolute(config.settings.home_fallback);
  return config;
}

}  // namespace latido::cli
