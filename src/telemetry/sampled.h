// Sampled: runs a source in the tests of this module and shows its values by series name.
// Used by *_test.cc only.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/sample.h"
#include "telemetry/proc_root.h"
#include "telemetry/sample_sink.h"

namespace latido::telemetry {

class Sampled {
 public:
  // One round at `now_ns`: "host.core.busy_ns[0]" → value. Each series at most once, else "twice" is
  // added to its name.
  template <typename Source>
  std::map<std::string, double> round(Source& source, std::int64_t now_ns = 0) {
    std::vector<model::Sample> out;
    SampleSink sink{now_ns, table_, out};
    source.sample(buffer_, sink);
    return by_name(out);
  }
  std::map<std::string, double> by_name(const std::vector<model::Sample>& samples) const {
    std::map<std::string, double> values;
    for (const model::Sample& sample : samples) {
      const model::Series& series = table_.all().at(model::index_of(sample.series));
      std::string name = series.metric;
      if (!series.label.empty()) name += "[" + series.label + "]";
      if (!values.emplace(name, sample.value).second) values[name + " twice"] = sample.value;
    }
    return values;
  }
  model::SeriesTable& table() { return table_; }

 private:
  model::SeriesTable table_;
  FileBuffer buffer_;
};

template <typename Source>
std::vector<std::string> absent_of(const Source& source) {
  std::vector<std::string> lines;
  source.append_absent(lines);
  return lines;
}

}  // namespace latido::telemetry
