#include "base/redact.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace latido {
namespace {

constexpr std::array<std::string_view, 14> kSecretWords{
    "password",   "passwd",     "passphrase", "secret", "token",     "apikey",    "accesskey",
    "privatekey", "credential", "auth",       "bearer", "signature", "sessionid", "webhook"};

// Starts of tokens that well-known services hand out.
constexpr std::array<std::string_view, 13> kTokenPrefixes{
    "ghp_",  "gho_", "ghs_", "github_pat_", "glpat-", "sk-", "xoxb-",
    "xoxp-", "AKIA", "ASIA", "hf_",         "eyJ",    "AIza"};
constexpr std::size_t kShortestToken = 16;

bool is_token_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.' ||
         c == '/' || c == '+';
}

// "scheme://user:pass@host" → "scheme://[redacted]@host".
std::string redact_url_credentials(std::string text) {
  std::size_t from = 0;
  while ((from = text.find("://", from)) != std::string::npos) {
    from += 3;
    const std::size_t end = std::min(text.find_first_of("/?# \t\"'", from), text.size());
    const std::size_t at = text.substr(from, end - from).rfind('@');
    if (at == std::string::npos) continue;
    text.replace(from, at, kRedacted);
  }
  return text;
}

// The value of every name=value whose name sounds secret, also inside URL queries.
std::string redact_assignments(std::string text) {
  std::size_t from = 0;
  while ((from = text.find('=', from)) != std::string::npos) {
    const std::size_t name_start = text.find_last_of("&?; \t,\"'{", from == 0 ? 0 : from - 1);
    const std::size_t name_from = name_start == std::string::npos ? 0 : name_start + 1;
    const std::size_t value_from = ++from;
    if (!sounds_secret(std::string_view(text).substr(name_from, value_from - 1 - name_from)))
      continue;
    const std::size_t value_end = std::min(text.find_first_of("&; \t\"'", value_from), text.size());
    if (value_end == value_from) continue;
    text.replace(value_from, value_end - value_from, kRedacted);
  }
  return text;
}

std::string redact_tokens(std::string text) {
  for (const std::string_view prefix : kTokenPrefixes) {
    std::size_t from = 0;
    while ((from = text.find(prefix, from)) != std::string::npos) {
      const bool starts_word = from == 0 || !is_token_char(text[from - 1]) || text[from - 1] == '/';
      std::size_t end = from + prefix.size();
      while (end < text.size() && is_token_char(text[end])) ++end;
      if (starts_word && end - from >= kShortestToken) {
        text.replace(from, end - from, kRedacted);
        from += kRedacted.size();
      } else {
        from += prefix.size();
      }
    }
  }
  return text;
}

}  // namespace

bool sounds_secret(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  if (plain == "key" || plain == "pass" || plain == "pwd" || plain.ends_with("apikey")) return true;
  // "tokenizer" and "max_tokens" are everyday machine learning, "author" is no auth.
  if (plain.find("tokeniz") != std::string::npos || plain.ends_with("tokens")) return false;
  if (plain.starts_with("author")) return false;
  return std::ranges::any_of(
      kSecretWords, [&](std::string_view word) { return plain.find(word) != std::string::npos; });
}

std::string redact_text(std::string_view text) {
  return redact_tokens(redact_assignments(redact_url_credentials(std::string(text))));
}

std::vector<std::string> redact_arguments(std::span<const std::string> arguments) {
  std::vector<std::string> out;
  bool hide_next = false;
  for (const std::string& argument : arguments) {
    const bool is_flag = argument.starts_with("-");
    if (hide_next && !is_flag) {
      out.emplace_back(kRedacted);
    } else {
      out.push_back(redact_text(argument));
    }
    hide_next = is_flag && argument.find('=') == std::string::npos && sounds_secret(argument);
  }
  return out;
}

}  // namespace latido
