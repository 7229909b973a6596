#include "base/json_reader.h"

#include <charconv>
#include <cmath>
#include <optional>

#include "base/utf8.h"

namespace latido {
namespace {

constexpr int kMaxDepth = 64;

const JsonValue kNull;
const JsonValue::Array kNoItems;
const JsonValue::Object kNoMembers;

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0U | code >> 6U);
    put(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    put(0xE0U | code >> 12U);
    put(0x80U | (code >> 6U & 0x3FU));
    put(0x80U | (code & 0x3FU));
  } else {
    put(0xF0U | code >> 18U);
    put(0x80U | (code >> 12U & 0x3FU));
    put(0x80U | (code >> 6U & 0x3FU));
    put(0x80U | (code & 0x3FU));
  }
}

// Recursive descent; every function returns false at the first error and leaves `at_` there.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  bool document(JsonValue& out) {
    if (!value(out, 0)) return false;
    skip_spaces();
    return at_ == text_.size();
  }
  std::size_t offset() const { return at_; }

 private:
  void skip_spaces() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool take_word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  bool value(JsonValue& out, int depth) {
    skip_spaces();
    if (at_ >= text_.size() || depth > kMaxDepth) return false;
    switch (text_[at_]) {
      case '{':
        return object(out, depth);
      case '[':
        return array(out, depth);
      case '"': {
        std::string text;
        if (!string(text)) return false;
        out = JsonValue(std::move(text));
        return true;
      }
      case 't':
        out = JsonValue(true);
        return take_word("true");
      case 'f':
        out = JsonValue(false);
        return take_word("false");
      case 'n':
        out = JsonValue();
        return take_word("null");
      default:
        return number(out);
    }
  }

  bool object(JsonValue& out, int depth) {
    JsonValue::Object members;
    take('{');
    skip_spaces();
    if (!take('}')) {
      do {
        skip_spaces();
        std::string key;
        JsonValue member;
        if (!string(key)) return false;
        skip_spaces();
        if (!take(':') || !value(member, depth + 1)) return false;
        members.emplace_back(std::move(key), std::move(member));
        skip_spaces();
      } while (take(','));
      if (!take('}')) return false;
    }
    out = JsonValue(std::move(members));
    return true;
  }

  bool array(JsonValue& out, int depth) {
    JsonValue::Array items;
    take('[');
    skip_spaces();
    if (!take(']')) {
      do {
        if (!value(items.emplace_back(), depth + 1)) return false;
        skip_spaces();
      } while (take(','));
      if (!take(']')) return false;
    }
    out = JsonValue(std::move(items));
    return true;
  }

  bool number(JsonValue& out) {
    const std::size_t end = std::min(text_.find_first_not_of("+-.0123456789eE", at_), text_.size());
    const std::string_view word = text_.substr(at_, end - at_);
    const std::string_view digits = word.substr(word.starts_with('-') ? 1 : 0);
    const bool starts_well =
        !digits.empty() && digits[0] >= '0' && digits[0] <= '9' &&
        (digits[0] != '0' || digits.size() == 1 || digits[1] < '0' || digits[1] > '9');
    if (!starts_well || word.back() == '.') return false;
    const char* const stop = word.data() + word.size();
    std::int64_t integer = 0;
    if (const auto got = std::from_chars(word.data(), stop, integer);
        got.ec == std::errc{} && got.ptr == stop) {
      out = JsonValue(integer);
    } else {
      double real = 0;
      const auto [ptr, errc] = std::from_chars(word.data(), stop, real);
      if (errc != std::errc{} || ptr != stop) return false;
      out = JsonValue(real);
    }
    at_ = end;
    return true;
  }

  bool string(std::string& out) {
    if (!take('"')) return false;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (static_cast<unsigned char>(c) < 0x20) return false;
      ++at_;
      if (c == '"') return true;
      if (c != '\\') {
        out += c;
      } else if (!escape(out)) {
        return false;
      }
    }
    return false;
  }

  bool escape(std::string& out) {
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kValues = "\"\\/\b\f\n\r\t";
    if (at_ >= text_.size()) return false;
    const char c = text_[at_++];
    if (c == 'u') return unicode_escape(out);
    const std::size_t which = kNames.find(c);
    if (which == std::string_view::npos) return false;
    out += kValues[which];
    return true;
  }

  std::optional<std::uint32_t> hex4() {
    std::uint32_t code = 0;
    const std::string_view digits = text_.substr(at_, 4);
    const char* const stop = digits.data() + digits.size();
    const auto [ptr, errc] = std::from_chars(digits.data(), stop, code, 16);
    if (digits.size() != 4 || errc != std::errc{} || ptr != stop) return std::nullopt;
    at_ += 4;
    return code;
  }

  bool unicode_escape(std::string& out) {
    const auto code = hex4();
    if (!code) return false;
    if (*code < 0xD800 || *code > 0xDFFF) {
      append_utf8(out, *code);
      return true;
    }
    // Half of a pair: the other half must follow.
    if (*code > 0xDBFF || !take_word("\\u")) return false;
    const auto low = hex4();
    if (!low || *low < 0xDC00 || *low > 0xDFFF) return false;
    append_utf8(out, 0x10000 + ((*code - 0xD800) << 10U) + (*low - 0xDC00));
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

const JsonValue& JsonValue::operator[](std::string_view key) const noexcept {
  for (const auto& [name, member] : members()) {
    if (name == key) return member;
  }
  return kNull;
}

const JsonValue::Array& JsonValue::items() const noexcept {
  const auto* const array = std::get_if<Array>(&value_);
  return array != nullptr ? *array : kNoItems;
}

const JsonValue::Object& JsonValue::members() const noexcept {
  const auto* const object = std::get_if<Object>(&value_);
  return object != nullptr ? *object : kNoMembers;
}

std::string JsonValue::string_or(std::string_view otherwise) const {
  const auto* const text = std::get_if<std::string>(&value_);
  return text != nullptr ? *text : std::string(otherwise);
}

std::int64_t JsonValue::integer_or(std::int64_t otherwise) const noexcept {
  const auto* const integer = std::get_if<std::int64_t>(&value_);
  return integer != nullptr ? *integer : otherwise;
}

double JsonValue::number_or(double otherwise) const noexcept {
  if (const auto* const integer = std::get_if<std::int64_t>(&value_)) {
    return static_cast<double>(*integer);
  }
  const auto* const real = std::get_if<double>(&value_);
  return real != nullptr ? *real : otherwise;
}

bool JsonValue::boolean_or(bool otherwise) const noexcept {
  const auto* const flag = std::get_if<bool>(&value_);
  return flag != nullptr ? *flag : otherwise;
}

Result<JsonValue> parse_json(std::string_view text) {
  if (to_valid_utf8(text) != text) {
    return Error{ErrorCode::kInvalidInput, "JSON is not valid UTF-8"};
  }
  Parser parser(text);
  JsonValue out;
  if (!parser.document(out)) {
    return Error{ErrorCode::kInvalidInput,
                 "not valid JSON at byte " + std::to_string(parser.offset())};
  }
  return out;
}

}  // namespace latido
