#include "base/result.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace latido {
namespace {

TEST(Result, HoldsAValueOrAnError) {
  const Result<int> good = 3;
  ASSERT_TRUE(good.has_value());
  EXPECT_EQ(good.value(), 3);
  const Result<int> bad = Error{ErrorCode::kNotFound, "no such run"};
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error().message, "no such run");
}

TEST(Error, ContextGoesInFront) {
  const Error error = Error{ErrorCode::kNotFound, "no such file"}.with_context("reading run.db");
  EXPECT_EQ(error.message, "reading run.db: no such file");
}

TEST(ErrnoError, PicksTheCodeByWhatTheCallerCanDo) {
  EXPECT_EQ(errno_error(ENOENT, "x").code, ErrorCode::kNotFound);
  EXPECT_EQ(errno_error(ENOSPC, "x").code, ErrorCode::kExhausted);
  EXPECT_EQ(errno_error(EACCES, "x").code, ErrorCode::kUnavailable);
  EXPECT_EQ(errno_error(ENOSYS, "x").code, ErrorCode::kUnsupported);
  EXPECT_EQ(errno_error(EACCES, "open a").message, "open a: Permission denied");
}

}  // namespace
}  // namespace latido
