// Result<T>: a value or an Error. The only error channel across modules.
//
// The names follow std::expected (has_value, value, error), which needs C++23, so that a later
// switch is an alias.
#pragma once

#include <cassert>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace latido {

// Chosen by what the caller should do about it.
enum class ErrorCode : std::uint8_t {
  kInvalidInput,  // the caller's argument or a file's content is wrong; retrying cannot help
  kNotFound,
  kUnavailable,  // a device, socket or file is not ready; retrying may help
  kDataLoss,     // checksum or framing failure; the bytes are gone
  kInternal,     // a bug in this program
  kUnsupported,  // this machine, kernel or version cannot do it
  kExhausted,    // a limit was reached: disk, memory, descriptors
};

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;  // one sentence for a person, no trailing newline

  // This error with "what: " in front; once per layer crossed.
  [[nodiscard]] Error with_context(const std::string& what) && {
    message = what + ": " + message;
    return std::move(*this);
  }
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit

  bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  // Precondition of value(): has_value(); of error(): not. A violation is a bug.
  T& value() & {
    assert(has_value());
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    assert(has_value());
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    assert(has_value());
    return std::move(*std::get_if<0>(&state_));
  }
  const Error& error() const& {
    assert(!has_value());
    return *std::get_if<1>(&state_);
  }
  Error&& error() && {
    assert(!has_value());
    return std::move(*std::get_if<1>(&state_));
  }

 private:
  std::variant<T, Error> state_;
};

using Status = Result<std::monostate>;
inline Status ok() { return std::monostate{}; }

// An Error for a failed system call: "<what>: <strerror(errno_value)>", with the code that fits.
Error errno_error(int errno_value, const std::string& what);

}  // namespace latido
