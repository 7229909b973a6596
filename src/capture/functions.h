// C and C++ functions that record themselves: what the rest of the recorder has to know of them.
#pragma once

namespace latido::capture {

struct ProcessPage;

// The category of a function that is known by its address only; docs/formats/ring.md.
inline constexpr const char* kNativeCategory = "native_function";

// The calling thread ends what it has recorded so far, as if it had ended, and begins anew under another
// number. For a thread whose last record may be unfinished for ever.
void abandon_thread_log(const ProcessPage& page) noexcept;

}  // namespace latido::capture
