// ULID: the name of a run. 26 letters and digits that sort by the time they were made.
//
// Called by session when a run begins. 48 bits of milliseconds since 1970, then 80 random bits,
// in Crockford's base 32 (no I, L, O, U).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace latido::store {

inline constexpr std::size_t kUlidLength = 26;
using UlidRandom = std::array<std::uint8_t, 10>;

// Pure. `wall_ns` since 1970; before 1970 counts as 1970.
std::string make_ulid(std::int64_t wall_ns, const UlidRandom& random);

// Of now, with random bits from the kernel. kUnavailable when there are none.
Result<std::string> new_ulid();

// Upper-case only, as make_ulid() writes it.
bool is_ulid(std::string_view text) noexcept;

}  // namespace latido::store
