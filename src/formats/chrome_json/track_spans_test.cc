#include "formats/chrome_json/track_spans.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace latido::formats::chrome_json {
namespace {

constexpr bool kFunction = true;
constexpr bool kZone = false;

// "3[1,9] 2[2,5]~": site, begin and end of what ended, in order; '~' loose, '!' cut.
class Thread {
 public:
  Thread& begin(std::uint32_t site, bool is_function, std::int64_t ts_ns) {
    spans_.begin(model::SiteId{site}, is_function, ts_ns);
    return *this;
  }
  Thread& arg(std::uint32_t name, std::uint64_t number) {
    spans_.arg(model::SiteId{name}, number);
    return *this;
  }
  Thread& end(std::uint32_t site, bool is_function, std::int64_t ts_ns) {
    spans_.end(model::SiteId{site}, is_function, ts_ns, ended_);
    return *this;
  }
  std::string ended(std::int64_t until_ns) {
    spans_.end_all(until_ns, ended_);
    std::string out;
    for (const Ended& span : ended_) {
      out += (out.empty() ? "" : " ") + std::to_string(model::index_of(span.site)) + "[" +
             std::to_string(span.begin_ns) + "," + std::to_string(span.end_ns) + "]";
      out += span.loose ? "~" : "";
      out += span.cut ? "!" : "";
      for (const auto& [name, number] : span.args) out += "=" + std::to_string(number);
    }
    return out;
  }

 private:
  TrackSpans spans_;
  std::vector<Ended> ended_;
};

TEST(TrackSpans, NestAndEndInnermostFirst) {
  Thread thread;
  thread.begin(1, kFunction, 1).begin(2, kZone, 2).begin(3, kFunction, 3).arg(9, 64);
  thread.end(3, kFunction, 4).end(2, kZone, 5).end(1, kFunction, 6);
  EXPECT_EQ(thread.ended(9), "3[3,4] 2[2,5]=64 1[1,6]") << "an argument is the zone's";
}

TEST(TrackSpans, AZoneThatOutlivesItsFunctionIsLoose) {
  Thread thread;
  // with zone: yield, in a generator that is called again.
  thread.begin(1, kFunction, 1).begin(2, kZone, 2).end(1, kFunction, 3);
  thread.begin(1, kFunction, 5).end(2, kZone, 6).arg(9, 1).end(1, kFunction, 7);
  EXPECT_EQ(thread.ended(9), "1[1,3] 2[2,6]~ 1[5,7]");
}

TEST(TrackSpans, AFunctionThatOutlivesAZoneMakesItLoose) {
  Thread thread;
  thread.begin(2, kZone, 1).begin(1, kFunction, 2).end(2, kZone, 3).end(1, kFunction, 4);
  EXPECT_EQ(thread.ended(9), "2[1,3]~ 1[2,4]");
}

TEST(TrackSpans, CutWhatHasNoEndOfItsOwn) {
  Thread functions;
  functions.begin(1, kFunction, 1).begin(2, kFunction, 2).begin(3, kZone, 3).end(1, kFunction, 5);
  EXPECT_EQ(functions.ended(9), "2[2,5]! 1[1,5] 3[3,9]~!");
  Thread zones;
  zones.begin(1, kZone, 1).begin(2, kZone, 2).end(1, kZone, 5);
  EXPECT_EQ(zones.ended(9), "2[2,5]! 1[1,5]");
  Thread open;
  open.begin(1, kZone, 1).begin(2, kFunction, 2);
  EXPECT_EQ(open.ended(9), "2[2,9]! 1[1,9]!");
}

TEST(TrackSpans, IgnoreEndsWithoutABeginAndTimeThatGoesBack) {
  Thread thread;
  thread.end(1, kFunction, 1).end(2, kZone, 1).arg(9, 1).begin(1, kZone, 7).end(1, kZone, 5);
  EXPECT_EQ(thread.ended(9), "1[7,7]");
}

TEST(TrackSpans, LeaveOutWhatIsTooDeep) {
  TrackSpans spans;
  std::vector<Ended> ended;
  constexpr std::size_t kDepth = TrackSpans::kMaxDepth + 10;
  for (std::size_t i = 0; i < kDepth; ++i) spans.begin(model::SiteId{1}, true, 1);
  for (std::size_t i = 0; i < kDepth; ++i) spans.end(model::SiteId{1}, true, 2, ended);
  EXPECT_EQ(ended.size(), TrackSpans::kMaxDepth);
}

}  // namespace
}  // namespace latido::formats::chrome_json
