#include "base/redact.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/redact_flags.h"

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
constexpr std::size_t kLongestName = 64;

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

// Where the value behind the "=" or ":" at `sign` begins: behind a quote, and behind "Bearer" and its
// like, which are no secret.
std::size_t find_value(std::string_view text, std::size_t sign) {
  std::size_t at = sign + 1;
  const auto skip = [&](std::string_view chars, std::size_t most) {
    while (most-- > 0 && at < text.size() && chars.find(text[at]) != std::string_view::npos) ++at;
  };
  if (text[sign] == ':') skip(" \t", text.size());
  skip("\\", 1);
  skip("\"'", 1);
  for (const std::string_view scheme : {"Bearer ", "bearer ", "Basic ", "basic ", "Token "}) {
    if (text.substr(at).starts_with(scheme)) at += scheme.size();
  }
  return at;
}

// The value of every name=value and name: value whose name sounds secret, also inside URL queries
// and JSON, which stays valid.
std::string redact_assignments(std::string text) {
  std::size_t from = 0;
  while ((from = text.find_first_of("=:", from)) != std::string::npos) {
    const std::size_t sign = from++;
    // No name is longer than this, and a text of colons must not take for ever.
    const std::size_t begin = sign - std::min(sign, kLongestName);
    const std::string_view before = std::string_view(text).substr(begin, sign - begin);
    const std::size_t name_end = before.find_last_not_of(" \t\"'\\") + 1;
    const std::size_t name_from = before.substr(0, name_end).find_last_of("&?; \t\n,\"'{(") + 1;
    if (!sounds_secret(before.substr(name_from, name_end - name_from))) continue;
    const std::size_t value_from = find_value(text, sign);
    const std::size_t value_end =
        std::min(text.find_first_of("&; \t\n\"'\\", value_from), text.size());
    const bool empty = value_end == value_from || text[value_from] == ',' ||
                       text[value_from] == '}' || text.compare(value_from, 2, "//") == 0;
    if (empty) continue;
    text.replace(value_from, value_end - value_from, kRedacted);
    from = value_from + kRedacted.size();
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

// What follows as one argument is a command line of its own: "bash -c".
bool starts_shell_text(std::string_view flag, std::string_view shell) {
  constexpr std::array<std::string_view, 5> kShells{"sh", "bash", "dash", "zsh", "ksh"};
  return flag.starts_with('-') && !flag.starts_with("--") && flag.ends_with('c') &&
         std::ranges::find(kShells, shell.substr(shell.rfind('/') + 1)) != kShells.end();
}

// The words of a text as arguments; the white space between them stays.
std::string redact_shell_text(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n";
  std::vector<std::string> words;
  std::vector<std::string> spaces;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t word_end = std::min(text.find_first_of(kSpace, at), text.size());
    const std::size_t next = std::min(text.find_first_not_of(kSpace, word_end), text.size());
    words.emplace_back(text.substr(at, word_end - at));
    spaces.emplace_back(text.substr(word_end, next - word_end));
    at = next;
  }
  words = redact_arguments(words);
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) out += words[i] + spaces[i];
  return out;
}

}  // namespace

bool sounds_secret(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  if (plain == "key" || plain == "pass" || plain == "pwd" || plain == "sig" ||
      plain.ends_with("apikey") || plain.ends_with("wandbkey") || plain.ends_with("accountkey")) {
    return true;
  }
  // "tokenizer" and "max_tokens" are everyday machine learning, "author" is no auth.
  if (plain.find("tokeniz") != std::string::npos || plain.ends_with("tokens")) return false;
  if (plain.starts_with("author") && !plain.starts_with("authoriz")) return false;
  return std::ranges::any_of(
      kSecretWords, [&](std::string_view word) { return plain.find(word) != std::string::npos; });
}

std::string redact_text(std::string_view text) {
  return redact_tokens(redact_assignments(redact_url_credentials(std::string(text))));
}

std::vector<std::string> redact_arguments(std::span<const std::string> arguments) {
  std::vector<std::string> out;
  ShortFlags short_flags;
  bool hide_next = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    // A secret may begin with a dash, too.
    const bool is_flag = argument.starts_with("--") ||
                         (argument.starts_with("-") && argument.size() < kShortestToken);
    if (hide_next && !is_flag) {
      out.emplace_back(kRedacted);
    } else if (i >= 2 && starts_shell_text(arguments[i - 1], arguments[i - 2])) {
      out.push_back(redact_shell_text(redact_text(argument)));
    } else {
      out.push_back(short_flags.take(redact_text(argument)));
    }
    hide_next = is_flag && argument.find('=') == std::string::npos && sounds_secret(argument);
  }
  return out;
}

}  // namespace latido
