// ShortFlags: passwords behind flags that do not name them: mysql -pSECRET, sshpass -p SECRET,
// curl -u user:SECRET.
//
// Used by redact_arguments, one for each command line. A flag means different things to different
// programs, so the program decides where it is known. Elsewhere -p hides all but what is plainly a
// number, a path, a file or a word. Pure.
#pragma once

#include <string>
#include <string_view>

namespace latido {

class ShortFlags {
 public:
  // `argument` as it may be shown. To be called for every argument in order.
  std::string take(std::string_view argument);

 private:
  enum class Pending { kNothing, kPassword, kMaybePassword, kUser };

  std::string take_flag(std::string_view flag);

  std::string program_;  // the last known one; empty: none
  Pending pending_ = Pending::kNothing;
};

}  // namespace latido
