#include "store/ulid.h"

#include <sys/random.h>

#include <algorithm>
#include <cerrno>

#include "base/clock.h"

namespace latido::store {
namespace {

constexpr std::string_view kAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr std::int64_t kNsPerMs = 1'000'000;

}  // namespace

std::string make_ulid(std::int64_t wall_ns, const UlidRandom& random) {
  const auto ms = static_cast<std::uint64_t>(std::max<std::int64_t>(wall_ns, 0) / kNsPerMs);
  std::array<std::uint8_t, 16> bytes{};
  for (std::size_t i = 0; i < 6; ++i) {
    bytes[i] = static_cast<std::uint8_t>(ms >> (40U - 8U * i));
  }
  std::ranges::copy(random, bytes.begin() + 6);
  // 26 digits of 5 bits are 130 bits: two zero bits stand in front.
  std::string text(kUlidLength, '0');
  for (std::size_t digit = 0; digit < kUlidLength; ++digit) {
    unsigned value = 0;
    for (std::size_t bit = 5 * digit; bit < 5 * digit + 5; ++bit) {
      value <<= 1U;
      if (bit >= 2) value |= bytes[(bit - 2) / 8] >> (7U - (bit - 2) % 8) & 1U;
    }
    text[digit] = kAlphabet[value];
  }
  return text;
}

Result<std::string> new_ulid() {
  UlidRandom random{};
  if (::getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size())) {
    return errno_error(errno, "no random numbers");
  }
  return make_ulid(wall_now_ns(), random);
}

bool is_ulid(std::string_view text) noexcept {
  return text.size() == kUlidLength && text[0] <= '7' &&
         text.find_first_not_of(kAlphabet) == std::string_view::npos;
}

}  // namespace latido::store
