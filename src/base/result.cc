#include "base/result.h"

#include <cerrno>
#include <system_error>

namespace latido {

Error errno_error(int errno_value, const std::string& what) {
  ErrorCode code = ErrorCode::kUnavailable;
  switch (errno_value) {
    case ENOENT:
      code = ErrorCode::kNotFound;
      break;
    case EINVAL:
    case ENOTDIR:
    case EISDIR:
    case ENAMETOOLONG:
      code = ErrorCode::kInvalidInput;
      break;
    case ENOSPC:
    case EDQUOT:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
      code = ErrorCode::kExhausted;
      break;
    case ENOSYS:
    case EOPNOTSUPP:
      code = ErrorCode::kUnsupported;
      break;
    default:
      break;
  }
  return {code, what + ": " + std::generic_category().message(errno_value)};
}

}  // namespace latido
