#include "formats/gzip_members.h"

#include <gtest/gtest.h>
#include <libdeflate.h>

#include <memory>
#include <string>

namespace latido::formats {
namespace {

// Reads member by member, as every gzip reader does.
std::string unpacked(std::string_view file, std::size_t& members) {
  const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> reader(
      libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
  std::string text;
  std::string piece(4U << 20U, '\0');
  while (!file.empty()) {
    std::size_t taken = 0;
    std::size_t got = 0;
    if (libdeflate_gzip_decompress_ex(reader.get(), file.data(), file.size(), piece.data(),
                                      piece.size(), &taken, &got) != LIBDEFLATE_SUCCESS) {
      return "damaged";
    }
    text.append(piece, 0, got);
    file.remove_prefix(taken);
    ++members;
  }
  return text;
}

TEST(GzipMembers, HoldTheTextAndLittleMemory) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{10}, std::size_t{3'500'000}}) {
    GzipMembers gzip;
    std::string want;
    std::string file;
    for (std::size_t i = 0; want.size() < bytes; ++i) {
      const std::string piece = "event " + std::to_string(i) + "\n";
      want += piece;
      file += gzip.add(piece);
    }
    file += gzip.finish();
    std::size_t members = 0;
    EXPECT_EQ(unpacked(file, members), want);
    EXPECT_EQ(members, bytes >> 20U == 0 ? 1U : 4U);
  }
}

}  // namespace
}  // namespace latido::formats
