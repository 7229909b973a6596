#include "store/sqlite/call_tree_store.h"

#include <array>
#include <limits>
#include <string_view>
#include <utility>

namespace latido::store {
namespace {

using model::CallTree;
using model::SamplingCounts;

constexpr std::array<std::pair<std::string_view, std::uint64_t SamplingCounts::*>, 6> kCounts{{
    {"samples", &SamplingCounts::samples},
    {"stacks", &SamplingCounts::stacks},
    {"invalid", &SamplingCounts::invalid},
    {"truncated", &SamplingCounts::truncated},
    {"late", &SamplingCounts::late},
    {"from_first_step", &SamplingCounts::from_first_step},
}};

Error damaged(std::string_view what) {
  return {ErrorCode::kDataLoss, "run.db: sampled call paths: " + std::string(what)};
}

// Whether the row has the number that comes next: a hole means that something is missing.
bool is_next(const Statement& row, std::size_t size) {
  return row.integer(0) == static_cast<std::int64_t>(size);
}

std::uint32_t line_of(std::int64_t line) {
  return line > 0 && line <= std::numeric_limits<std::int32_t>::max()
             ? static_cast<std::uint32_t>(line)
             : 0;
}

// Calls `row(statement)` for every row until it returns false.
template <typename Row>
Status for_each_row(Database& database, std::string_view sql, Row row) {
  auto query = database.prepare(sql);
  if (!query.has_value()) return std::move(query).error();
  while (true) {
    const auto more = query.value().step();
    if (!more.has_value()) return more.error();
    if (!more.value()) return ok();
    if (Status read = row(query.value()); !read.has_value()) return read;
  }
}

}  // namespace

Status CallTreeStore::put(std::uint32_t first_frame, std::uint32_t first_node,
                          const CallTree& part) {
  return database_.transaction([&]() -> Status {
    if (Status done = put_frames(first_frame, part); !done.has_value()) return done;
    if (Status done = put_nodes(first_node, part); !done.has_value()) return done;
    if (Status done = put_times(part); !done.has_value()) return done;
    return put_counts(part.counts);
  });
}

Status CallTreeStore::put_frames(std::uint32_t first, const CallTree& part) {
  auto insert = database_.prepare("INSERT OR REPLACE INTO call_frames VALUES (?, ?, ?, ?)");
  if (!insert.has_value()) return std::move(insert).error();
  std::int64_t id = first;
  for (const model::CallFrame& frame : part.frames) {
    insert.value().bind(id++).bind(std::string_view(frame.function));
    insert.value().bind(std::string_view(frame.file)).bind(std::int64_t{frame.line});
    if (Status done = insert.value().run(); !done.has_value()) return done;
  }
  return ok();
}

Status CallTreeStore::put_nodes(std::uint32_t first, const CallTree& part) {
  auto insert = database_.prepare("INSERT OR REPLACE INTO call_nodes VALUES (?, ?, ?, ?)");
  if (!insert.has_value()) return std::move(insert).error();
  std::int64_t id = first;
  for (const model::CallNode& node : part.nodes) {
    insert.value().bind(id++).bind(std::int64_t{node.parent});
    insert.value().bind(std::int64_t{node.frame}).bind(std::int64_t{node.line});
    if (Status done = insert.value().run(); !done.has_value()) return done;
  }
  return ok();
}

Status CallTreeStore::put_times(const CallTree& part) {
  auto insert = database_.prepare("INSERT OR REPLACE INTO call_times VALUES (?, ?, ?, ?, ?, ?)");
  if (!insert.has_value()) return std::move(insert).error();
  for (const model::CallTime& time : part.times) {
    insert.value().bind(static_cast<std::int64_t>(model::index_of(time.process)));
    insert.value().bind(std::int64_t{time.main_thread ? 1 : 0});
    insert.value().bind(std::int64_t{time.from_first_step ? 1 : 0}).bind(std::int64_t{time.node});
    insert.value().bind(time.busy_ns).bind(time.idle_ns);
    if (Status done = insert.value().run(); !done.has_value()) return done;
  }
  return ok();
}

Status CallTreeStore::put_counts(const SamplingCounts& counts) {
  auto insert = database_.prepare("INSERT OR REPLACE INTO call_counts VALUES (?, ?)");
  if (!insert.has_value()) return std::move(insert).error();
  for (const auto& [name, member] : kCounts) {
    insert.value().bind(name).bind(static_cast<std::int64_t>(counts.*member));
    if (Status done = insert.value().run(); !done.has_value()) return done;
  }
  return ok();
}

Result<CallTree> CallTreeStore::read() {
  CallTree tree;
  Status done =
      for_each_row(database_, "SELECT id, function, file, line FROM call_frames ORDER BY id",
                   [&](const Statement& row) -> Status {
                     if (!is_next(row, tree.frames.size())) return damaged("a function is missing");
                     tree.frames.push_back({.function = std::string(row.text(1)),
                                            .file = std::string(row.text(2)),
                                            .line = line_of(row.integer(3))});
                     return ok();
                   });
  if (!done.has_value()) return std::move(done).error();
  done = for_each_row(database_, "SELECT id, parent, frame, line FROM call_nodes ORDER BY id",
                      [&](const Statement& row) -> Status {
                        const auto parent = static_cast<std::uint64_t>(row.integer(1));
                        const auto frame = static_cast<std::uint64_t>(row.integer(2));
                        if (!is_next(row, tree.nodes.size()) || parent >= tree.nodes.size() ||
                            frame >= tree.frames.size()) {
                          return damaged("a call is missing");
                        }
                        tree.nodes.push_back({.parent = static_cast<std::uint32_t>(parent),
                                              .frame = static_cast<std::uint32_t>(frame),
                                              .line = line_of(row.integer(3))});
                        return ok();
                      });
  if (!done.has_value()) return std::move(done).error();
  done = for_each_row(
      database_,
      "SELECT process, main_thread, node, busy_ns, idle_ns, from_first_step FROM call_times",
      [&](const Statement& row) -> Status {
        const auto node = static_cast<std::uint64_t>(row.integer(2));
        if (node >= tree.nodes.size() || row.integer(3) < 0 || row.integer(4) < 0) {
          return damaged("a time belongs to no call");
        }
        tree.times.push_back({.process = static_cast<model::ProcessId>(row.integer(0)),
                              .node = static_cast<std::uint32_t>(node),
                              .main_thread = row.integer(1) != 0,
                              .from_first_step = row.integer(5) != 0,
                              .busy_ns = row.integer(3),
                              .idle_ns = row.integer(4)});
        return ok();
      });
  if (!done.has_value()) return std::move(done).error();
  done = for_each_row(database_, "SELECT name, value FROM call_counts",
                      [&](const Statement& row) -> Status {
                        for (const auto& [name, member] : kCounts) {
                          if (row.text(0) != name) continue;
                          tree.counts.*member = static_cast<std::uint64_t>(row.integer(1));
                        }
                        return ok();
                      });
  if (!done.has_value()) return std::move(done).error();
  return tree;
}

}  // namespace latido::store
