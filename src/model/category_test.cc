#include "model/category.h"

#include <gtest/gtest.h>

namespace latido::model {
namespace {

TEST(Category, EveryOneReadsBackFromItsText) {
  for (std::uint8_t i = 0; i < kCategoryCount; ++i) {
    const auto category = static_cast<Category>(i);
    EXPECT_FALSE(to_text(category).empty());
    EXPECT_EQ(category_from_text(to_text(category)), category) << to_text(category);
  }
}

TEST(Category, AnUnknownTextIsAZone) {
  EXPECT_EQ(category_from_text("from the future"), Category::kZone);
}

}  // namespace
}  // namespace latido::model
