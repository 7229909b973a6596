#include "store/sqlite/run_database.h"

#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <system_error>

#include "store/sqlite/schema.h"

namespace latido::store {
namespace {

// f_type of statfs(2): NFS, SMB, CIFS, SMB2, Lustre, GPFS, Ceph, AFS, FUSE (often a network behind
// it), 9p, BeeGFS, PanFS, OCFS2, GFS2, VirtualBox folders.
constexpr std::array<std::uint32_t, 15> kNetworkTypes{
    0x6969,     0x517B,     0xFF534D42, 0xFE534D42, 0x0BD00BD0, 0x47504653, 0x00C36400, 0x5346414F,
    0x65735546, 0x01021997, 0x19830326, 0xAAD7AAEA, 0x7461636F, 0x01161970, 0x786F4256};

Status set_up(Database& database, Journal journal) {
  Status done = database.execute(journal == Journal::kWal ? "PRAGMA journal_mode = WAL"
                                                          : "PRAGMA journal_mode = DELETE");
  if (done.has_value()) done = database.execute("PRAGMA synchronous = NORMAL");
  // 512 KiB of log at most stay on disk between checkpoints.
  if (done.has_value()) done = database.execute("PRAGMA journal_size_limit = 524288");
  if (done.has_value()) done = migrate(database);
  return done;
}

// Opened and of a version that this program knows.
Result<Database> open_readable(const std::filesystem::path& path, Access access) {
  auto database = Database::open(path, access);
  if (!database.has_value()) return database;
  if (Status known = check_schema(database.value()); !known.has_value()) {
    return std::move(known).error();
  }
  return database;
}

}  // namespace

Journal journal_for(const std::filesystem::path& folder) {
  struct statfs status {};
  // Unknown: the one that works everywhere.
  if (::statfs(folder.c_str(), &status) != 0) return Journal::kRollback;
  const auto type = static_cast<std::uint32_t>(status.f_type);
  return std::ranges::find(kNetworkTypes, type) == kNetworkTypes.end() ? Journal::kWal
                                                                       : Journal::kRollback;
}

Result<Database> create_run_database(const std::filesystem::path& path) {
  return create_run_database(path, journal_for(path.parent_path()));
}

Result<Database> create_run_database(const std::filesystem::path& path, Journal journal) {
  auto database = Database::open(path, Access::kCreate);
  if (!database.has_value()) return std::move(database).error().with_context(path.string());
  if (Status done = set_up(database.value(), journal); !done.has_value()) {
    return std::move(done).error().with_context(path.string());
  }
  return database;
}

Result<Database> open_run_database(const std::filesystem::path& path) {
  std::error_code ignored;
  // A pipe in its place would be waited for.
  const auto type = std::filesystem::status(path, ignored).type();
  if (type != std::filesystem::file_type::regular &&
      type != std::filesystem::file_type::not_found) {
    return Error{ErrorCode::kDataLoss, path.string() + " is no file"};
  }
  auto database = open_readable(path, Access::kRead);
  // A recorder that was killed in mid-write leaves a journal that only a writer may roll back.
  if (!database.has_value() && database.error().code == ErrorCode::kUnavailable) {
    auto recovered = open_readable(path, Access::kWrite);
    if (recovered.has_value()) database = std::move(recovered);
  }
  if (!database.has_value()) return std::move(database).error().with_context(path.string());
  const auto version = schema_version(database.value());
  if (!version.has_value()) return Error(version.error()).with_context(path.string());
  if (version.value() == kSchemaVersion) return database;
  auto writable = Database::open(path, Access::kWrite);
  if (!writable.has_value()) return std::move(writable).error().with_context(path.string());
  if (Status done = migrate(writable.value()); !done.has_value()) {
    return std::move(done).error().with_context(path.string());
  }
  return writable;
}

Status seal_run_database(Database& database) {
  // Whoever reads just now may finish, but the report does not wait for long.
  if (Status done = database.execute("PRAGMA busy_timeout = 200"); !done.has_value()) return done;
  Status done = database.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  if (done.has_value()) done = database.execute("PRAGMA journal_mode = DELETE");
  if (!done.has_value() && done.error().code == ErrorCode::kUnavailable) return ok();
  return done;
}

}  // namespace latido::store
