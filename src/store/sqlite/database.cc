#include "store/sqlite/database.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <limits>

#include "base/unique_fd.h"
#include "store/file_io.h"

namespace latido::store {
namespace {

constexpr int kBusyTimeoutMs = 5000;

ErrorCode code_of(int rc) {
  switch (rc & 0xFF) {
    case SQLITE_FULL:
    case SQLITE_NOMEM:
    case SQLITE_TOOBIG:
      return ErrorCode::kExhausted;
    // Writing beyond a quota or a limit on the file's size shows as an error of the device.
    case SQLITE_IOERR:
      return rc == SQLITE_IOERR_WRITE ? ErrorCode::kExhausted : ErrorCode::kUnavailable;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return ErrorCode::kUnavailable;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return ErrorCode::kDataLoss;
    default:
      return ErrorCode::kInternal;
  }
}

Error error_of(sqlite3* handle) {
  return {code_of(::sqlite3_extended_errcode(handle)), ::sqlite3_errmsg(handle)};
}

// SQLite makes its side files with the mode of the main file.
Status make_file(const std::filesystem::path& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kFileMode));
  if (!fd) return errno_error(errno, path.string());
  return ok();
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const noexcept {
  ::sqlite3_finalize(statement);
}

void Database::Close::operator()(sqlite3* handle) const noexcept { ::sqlite3_close_v2(handle); }

Statement& Statement::bind(std::int64_t value) {
  const int rc = ::sqlite3_bind_int64(statement_.get(), next_parameter_++, value);
  if (bind_failed_ == SQLITE_OK) bind_failed_ = rc;
  return *this;
}

Statement& Statement::bind(double value) {
  const int rc = ::sqlite3_bind_double(statement_.get(), next_parameter_++, value);
  if (bind_failed_ == SQLITE_OK) bind_failed_ = rc;
  return *this;
}

Statement& Statement::bind(std::string_view text) {
  const int rc = ::sqlite3_bind_text64(statement_.get(), next_parameter_++, text.data(),
                                       text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  if (bind_failed_ == SQLITE_OK) bind_failed_ = rc;
  return *this;
}

Statement& Statement::bind(std::span<const std::byte> blob) {
  const int rc = ::sqlite3_bind_blob64(statement_.get(), next_parameter_++, blob.data(),
                                       blob.size(), SQLITE_TRANSIENT);
  if (bind_failed_ == SQLITE_OK) bind_failed_ = rc;
  return *this;
}

Statement& Statement::bind_null() {
  const int rc = ::sqlite3_bind_null(statement_.get(), next_parameter_++);
  if (bind_failed_ == SQLITE_OK) bind_failed_ = rc;
  return *this;
}

Statement& Statement::bind_or_null(std::optional<std::int64_t> value) {
  return value ? bind(*value) : bind_null();
}

Result<bool> Statement::step() {
  if (bind_failed_ != SQLITE_OK) {
    return Error{code_of(bind_failed_), ::sqlite3_errstr(bind_failed_)};
  }
  const int rc = ::sqlite3_step(statement_.get());
  if (rc == SQLITE_ROW) return true;
  Result<bool> result = false;
  if (rc != SQLITE_DONE) result = error_of(::sqlite3_db_handle(statement_.get()));
  ::sqlite3_reset(statement_.get());
  ::sqlite3_clear_bindings(statement_.get());
  next_parameter_ = 1;
  return result;
}

Status Statement::run() {
  Result<bool> result = step();
  while (result.has_value() && result.value()) result = step();
  if (!result.has_value()) return std::move(result).error();
  return ok();
}

std::int64_t Statement::integer(int column) const {
  return ::sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) const {
  if (is_null(column)) return std::numeric_limits<double>::quiet_NaN();
  return ::sqlite3_column_double(statement_.get(), column);
}

std::string_view Statement::text(int column) const {
  const auto* const bytes = ::sqlite3_column_text(statement_.get(), column);
  if (bytes == nullptr) return {};
  return {reinterpret_cast<const char*>(bytes),
          static_cast<std::size_t>(::sqlite3_column_bytes(statement_.get(), column))};
}

std::span<const std::byte> Statement::blob(int column) const {
  const auto* const bytes =
      static_cast<const std::byte*>(::sqlite3_column_blob(statement_.get(), column));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<std::size_t>(::sqlite3_column_bytes(statement_.get(), column))};
}

bool Statement::is_null(int column) const {
  return ::sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

Result<Database> Database::open(const std::filesystem::path& path, Access access) {
  if (access == Access::kCreate) {
    if (Status made = make_file(path); !made.has_value()) return std::move(made).error();
  }
  const int flags = (access == Access::kRead ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) |
                    SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  sqlite3* handle = nullptr;
  const int rc = ::sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
  if (handle == nullptr) return Error{ErrorCode::kExhausted, "no memory for SQLite"};
  Database database(handle);
  if (rc != SQLITE_OK) return error_of(handle);
  ::sqlite3_busy_timeout(handle, kBusyTimeoutMs);
  // A run's folder may come from anyone: no functions with side effects from its schema.
  ::sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  ::sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  // Negative: in KiB. The agent has 40 MB for everything.
  if (Status done = database.execute("PRAGMA cache_size = -1024"); !done.has_value()) {
    return std::move(done).error();
  }
  return database;
}

Status Database::execute(const std::string& sql) {
  if (::sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    return error_of(handle_.get());
  }
  return ok();
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int rc = ::sqlite3_prepare_v2(handle_.get(), sql.data(), static_cast<int>(sql.size()),
                                      &statement, nullptr);
  if (rc != SQLITE_OK) return error_of(handle_.get());
  return Statement(statement);
}

void Database::roll_back() {
  // Fails when SQLite has rolled back already, as it does when the disk is full.
  ::sqlite3_exec(handle_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

}  // namespace latido::store
