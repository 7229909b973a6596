#include "cli/config.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "cli/option_table.h"

namespace latido::cli {
namespace {

const Option* find_option(const std::string& key) {
  const auto& table = option_table();
  const auto it = std::ranges::find(table, key, &Option::key);
  return it == table.end() ? nullptr : &*it;
}

// The known key closest in letters, for "did you mean".
std::string nearest_key(const std::string& key) {
  const auto distance = [](std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
      std::size_t diagonal = std::exchange(row[0], i);
      for (std::size_t j = 1; j <= b.size(); ++j) {
        const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
        diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, change}));
      }
    }
    return row.back();
  };
  std::string best;
  std::size_t best_distance = 6;
  for (const Option& option : option_table()) {
    const std::size_t d = distance(key, option.key);
    if (d < best_distance) {
      best_distance = d;
      best = option.key;
    }
  }
  return best;
}

Error unknown_key(const std::string& where, const std::string& key) {
  const std::string nearest = nearest_key(key);
  return {ErrorCode::kInvalidInput,
          where + ": unknown setting '" + key + "'" +
              (nearest.empty() ? "" : ", did you mean '" + nearest + "'?")};
}

Status apply(Config& config, const std::string& key, const std::string& value,
             const std::string& where, const std::string& origin) {
  const Option* const option = find_option(key);
  if (option == nullptr) return unknown_key(where, key);
  if (auto status = option->set(config.settings, value); !status) {
    return std::move(status).error().with_context(where + ": " + key);
  }
  config.origin[key] = origin;
  return ok();
}

// "run.telemetry_hz" for "LATIDO_RUN_TELEMETRY_HZ", known or not; empty for what is no setting.
std::string key_of_environment(const std::string& name) {
  // What a recording gives its processes.
  if (name == "LATIDO_RUN_ID") return "";
  if (std::ranges::any_of(name, [](unsigned char c) { return std::islower(c) != 0; })) return "";
  constexpr std::string_view kPrefix = "LATIDO_";
  if (!name.starts_with(kPrefix)) return "";
  std::string lower = name.substr(kPrefix.size());
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::size_t line = lower.find('_');
  if (line == std::string::npos || !is_section(lower.substr(0, line))) return "";
  lower[line] = '.';
  return lower;
}

std::string text_of(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  std::ostringstream out;
  if (const auto* number = node.as_integer()) out << number->get();
  if (const auto* number = node.as_floating_point()) out << number->get();
  return out.str();
}

std::string quoted(const std::string& text) {
  std::ostringstream out;
  out << toml::value<std::string>(text);
  return out.str();
}

Error at(const std::string& where, std::string_view before, const std::string& key,
         std::string_view what) {
  std::string message = where;
  message.append(": ").append(before).append(key).append(what);
  return {ErrorCode::kInvalidInput, std::move(message)};
}

Status apply_table(Config& config, const std::string& file, const toml::table& section,
                   const std::string& prefix) {
  for (const auto& [name, node] : section) {
    const std::string key = prefix + std::string(name.str());
    const std::string where = file + ":" + std::to_string(node.source().begin.line);
    if (const auto* table = node.as_table()) {
      if (!prefix.empty()) return unknown_key(where, key);
      // A section without keys has none that could be found to be unknown.
      if (table->empty() && !is_section(key)) return unknown_key(where, key);
      if (auto status = apply_table(config, file, *table, key + "."); !status) return status;
      continue;
    }
    if (node.is_array()) {
      return at(where, "'", key, "' takes one value, not a list");
    }
    const Option* const option = find_option(key);
    if (option != nullptr && option->is_text && !node.is_string()) {
      return at(where, "", key, ": wants a text in quotes");
    }
    if (auto status = apply(config, key, text_of(node), where, where); !status) return status;
  }
  return ok();
}

}  // namespace

Status apply_file(Config& config, const std::string& file, const std::string& text) {
  try {
    return apply_table(config, file, toml::parse(text, file), "");
  } catch (const toml::parse_error& error) {
    return Error{ErrorCode::kInvalidInput, file + ":" + std::to_string(error.source().begin.line) +
                                               ": " + std::string(error.description())};
  }
}

Status apply_environment(Config& config, const std::vector<std::string>& environment) {
  for (const std::string& entry : environment) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos) continue;
    const std::string name = entry.substr(0, equals);
    const std::string key = key_of_environment(name);
    if (key.empty()) continue;
    if (auto status = apply(config, key, entry.substr(equals + 1), name, name); !status) {
      return status;
    }
  }
  return ok();
}

Status apply_flag(Config& config, const std::string& key, const std::string& value,
                  const std::string& origin) {
  return apply(config, key, value, origin, origin);
}

std::string print_config(const Config& config) {
  std::ostringstream out;
  std::string section;
  for (const Option& option : option_table()) {
    const std::size_t dot = option.key.find('.');
    if (option.key.substr(0, dot) != section) {
      out << (section.empty() ? "" : "\n") << "[" << option.key.substr(0, dot) << "]\n";
      section = option.key.substr(0, dot);
    }
    std::string value = option.get(config.settings);
    if (option.is_text) value = quoted(value);
    const auto origin = config.origin.find(option.key);
    out << option.key.substr(dot + 1) << " = " << value << "  # "
        << (origin == config.origin.end() ? "default" : origin->second) << ": " << option.help
        << "\n";
  }
  return out.str();
}

}  // namespace latido::cli
