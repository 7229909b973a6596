// Database and Statement: SQLite as values and errors. Only this folder knows SQLite.
//
// Used by RunCatalog and SqliteSeriesStore, on one thread. Blocking. Errors: kExhausted (disk full),
// kUnavailable (locked by someone, folder not writable), kDataLoss (the file is damaged), kUnsupported.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace latido::store {

class Statement {
 public:
  // Binds the next parameter, left to right; returns *this so that a row is one expression.
  Statement& bind(std::int64_t value);
  Statement& bind(double value);
  Statement& bind(std::string_view text);
  Statement& bind(std::span<const std::byte> blob);
  Statement& bind_null();
  Statement& bind_or_null(std::optional<std::int64_t> value);

  // True: there is a row. False: done, and the statement is ready for new parameters.
  Result<bool> step();
  // For statements without rows.
  Status run();

  // Of the current row; text and blob are valid until the next step().
  std::int64_t integer(int column) const;
  double real(int column) const;  // NaN for NULL
  std::string_view text(int column) const;
  std::span<const std::byte> blob(int column) const;
  bool is_null(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const noexcept;
  };
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int next_parameter_ = 1;
  int bind_failed_ = 0;  // first failure, reported by step()
};

enum class Access : std::uint8_t { kCreate, kWrite, kRead };

class Database {
 public:
  // kCreate: the file must not exist. Files are made for their owner only.
  static Result<Database> open(const std::filesystem::path& path, Access access);

  Status execute(const std::string& sql);
  Result<Statement> prepare(std::string_view sql);

  // Runs `body` in a transaction, undone when it returns an error.
  template <typename Body>
  Status transaction(Body body) {
    if (Status begun = execute("BEGIN IMMEDIATE"); !begun.has_value()) return begun;
    Status done = body();
    if (done.has_value()) done = execute("COMMIT");
    if (!done.has_value()) roll_back();
    return done;
  }

 private:
  struct Close {
    void operator()(sqlite3* handle) const noexcept;
  };
  explicit Database(sqlite3* handle) : handle_(handle) {}
  void roll_back();

  std::unique_ptr<sqlite3, Close> handle_;
};

}  // namespace latido::store
