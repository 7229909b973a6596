// FunctionTable: the names behind a sample's frames. It only grows; an id stays what it is.
//
// Filled by the code table of a PythonTarget, read by whoever takes its samples, on the same thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace latido::stacks {

enum class FunctionId : std::uint32_t {};

// A function's name as the program has it: valid UTF-8, may hold line breaks and anything else.
struct Function {
  std::string name;  // qualified from 3.11, for instance "Model.forward"; the plain name before
  std::string file;  // as in tracebacks: may be relative, or "<string>"
  std::int32_t first_line = 0;

  bool operator==(const Function&) const = default;
};

class FunctionTable {
 public:
  // Beyond these a program makes functions without end; they all are kOther then.
  static constexpr std::size_t kMaxFunctions = 500'000;
  static constexpr std::size_t kMaxTextBytes = std::size_t{128} << 20;
  static constexpr FunctionId kOther{0};  // "(other functions)"

  FunctionTable();

  // The id of an equal function, made when there is none yet.
  FunctionId intern(Function function);

  const Function& operator[](FunctionId id) const {
    return functions_[static_cast<std::size_t>(id)];
  }
  std::size_t size() const noexcept { return functions_.size(); }

 private:
  std::vector<Function> functions_;
  std::unordered_map<std::string, FunctionId> ids_;  // by file, name and line
  std::size_t text_bytes_ = 0;
};

}  // namespace latido::stacks
