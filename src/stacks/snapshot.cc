#include "stacks/snapshot.h"

#include <algorithm>

#include "stacks/byte_view.h"

namespace latido::stacks {
namespace {

// Measured: another range costs the kernel as much as copying one more page.
constexpr std::uint64_t kMergeGapBytes = 3072;
constexpr std::uint64_t kFirstAddress = 65536;                     // nothing is mapped below
constexpr std::uint64_t kAfterAddresses = std::uint64_t{1} << 56;  // user space ends before
constexpr std::size_t kMaxWishBytes = std::size_t{4} << 20;

}  // namespace

void Snapshot::clear() noexcept {
  first_.clear();
  body_.clear();
  last_.clear();
  fetched_.clear();
  fetched_last_.clear();
  used_ = 0;
  status_ = ok();
}

void Snapshot::add(std::vector<Wish>& wishes, std::uint64_t address, std::size_t size) {
  if (address < kFirstAddress || address >= kAfterAddresses || size > kMaxWishBytes) return;
  if (&wishes != &last_ && find(fetched_, address, size) != nullptr) return;
  wishes.push_back({address, address + size});
}

void Snapshot::merge(std::vector<Wish>& wishes) {
  std::ranges::sort(wishes, {}, &Wish::begin);
  std::size_t kept = 0;
  for (std::size_t k = 1; k < wishes.size(); ++k) {
    Wish& last = wishes[kept];
    const std::uint64_t end = std::max(last.end, wishes[k].end);
    // The gap lies between two ranges that are wanted, but its pages may be unmapped: only a gap
    // that touches no other page than theirs is copied.
    const bool near = wishes[k].begin <= last.end + kMergeGapBytes &&
                      wishes[k].begin / kPageBytes <= (last.end - 1) / kPageBytes + 1;
    if (near && end - last.begin <= kMaxWishBytes) {
      last.end = end;
    } else {
      wishes[++kept] = wishes[k];
    }
  }
  if (!wishes.empty()) wishes.resize(kept + 1);
}

void Snapshot::plan(const std::vector<Wish>& wishes, std::vector<Piece>& pieces) {
  for (const Wish& wish : wishes) {
    pieces.push_back({wish.begin, wish.end, used_});
    used_ += static_cast<std::size_t>(wish.end - wish.begin);
  }
}

Status Snapshot::fetch() {
  if (first_.empty() && body_.empty() && last_.empty()) return status_;
  merge(first_);
  merge(body_);
  new_pieces_.clear();
  new_last_.clear();
  plan(first_, new_pieces_);
  plan(body_, new_pieces_);
  const std::size_t before_last = new_pieces_.size();
  plan(last_, new_pieces_);
  first_.clear();
  body_.clear();
  last_.clear();
  if (auto status = copy(new_pieces_); !status) return status;
  for (std::size_t k = 0; k < new_pieces_.size(); ++k) {
    if (!ranges_[k].copied) continue;
    (k < before_last ? fetched_ : fetched_last_).push_back(new_pieces_[k]);
  }
  std::ranges::sort(fetched_, {}, &Piece::begin);
  return ok();
}

Status Snapshot::copy(std::vector<Piece>& pieces) {
  if (memory_.size() < used_) memory_.resize(used_ + used_ / 2);
  ranges_.clear();
  for (const Piece& piece : pieces) {
    const std::span<std::byte> into(&memory_[piece.at],
                                    static_cast<std::size_t>(piece.end - piece.begin));
    ranges_.push_back({piece.begin, into, false});
  }
  if (auto status = source_->read(ranges_); !status) {
    status_ = status;
    return status;
  }
  return ok();
}

const Snapshot::Piece* Snapshot::find(const std::vector<Piece>& pieces, std::uint64_t address,
                                      std::size_t size) const noexcept {
  auto after = std::ranges::upper_bound(pieces, address, {}, &Piece::begin);
  // Pieces overlap where a page was fetched around a shorter one: a few steps back are enough.
  for (int steps = 0; steps < 4 && after != pieces.begin(); ++steps) {
    --after;
    if (after->end >= address + size) return &*after;
  }
  return nullptr;
}

std::span<const std::byte> Snapshot::bytes(std::uint64_t address, std::size_t size) {
  if (!status_ || address < kFirstAddress || address >= kAfterAddresses || size > kMaxWishBytes) {
    return {};
  }
  const Piece* piece = find(fetched_, address, size);
  if (piece == nullptr) {
    const std::uint64_t begin = address / kPageBytes * kPageBytes;
    const std::uint64_t end = (address + size + kPageBytes - 1) / kPageBytes * kPageBytes;
    new_pieces_.assign(1, Piece{begin, end, used_});
    used_ += static_cast<std::size_t>(end - begin);
    if (!copy(new_pieces_) || !ranges_.front().copied) return {};
    const Piece page = new_pieces_.front();
    fetched_.insert(std::ranges::upper_bound(fetched_, page.begin, {}, &Piece::begin), page);
    return std::span(memory_).subspan(page.at + static_cast<std::size_t>(address - begin), size);
  }
  return std::span(memory_).subspan(piece->at + static_cast<std::size_t>(address - piece->begin),
                                    size);
}

std::span<const std::byte> Snapshot::fetched_bytes(std::uint64_t address, std::size_t size) const {
  const Piece* piece = find(fetched_, address, size);
  if (piece == nullptr) return {};
  return std::span(memory_).subspan(piece->at + static_cast<std::size_t>(address - piece->begin),
                                    size);
}

std::optional<std::uint64_t> Snapshot::u64(std::uint64_t address) {
  const auto found = bytes(address, sizeof(std::uint64_t));
  if (found.empty()) return std::nullopt;
  return ByteView(found).u64(0);
}

std::optional<std::uint64_t> Snapshot::last_u64(std::uint64_t address) const {
  for (const Piece& piece : fetched_last_) {
    if (piece.begin != address) continue;
    return ByteView(std::span(memory_).subspan(piece.at, sizeof(std::uint64_t))).u64(0);
  }
  return std::nullopt;
}

}  // namespace latido::stacks
