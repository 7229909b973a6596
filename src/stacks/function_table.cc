#include "stacks/function_table.h"

#include <utility>

namespace latido::stacks {

FunctionTable::FunctionTable() { functions_.push_back({"(other functions)", {}, 0}); }

FunctionId FunctionTable::intern(Function function) {
  // No path holds a NUL byte, and the line stands before both texts: the key is unambiguous.
  std::string key = std::to_string(function.first_line);
  key.append(1, ' ').append(function.file).append(1, '\0').append(function.name);
  if (const auto found = ids_.find(key); found != ids_.end()) return found->second;
  if (functions_.size() >= kMaxFunctions || text_bytes_ + key.size() > kMaxTextBytes) return kOther;
  text_bytes_ += key.size();
  const FunctionId id{static_cast<std::uint32_t>(functions_.size())};
  functions_.push_back(std::move(function));
  ids_.emplace(std::move(key), id);
  return id;
}

}  // namespace latido::stacks
