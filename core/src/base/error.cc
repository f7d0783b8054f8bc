#include "entitable/error.h"

#include <cstddef>
#include <iterator>

namespace entitable {
namespace {

struct CodeEntry {
  std::string_view name;
  int status;
  std::string_view text;
};

constexpr CodeEntry kCodes[] = {
#define ENTITABLE_X(name, status, text) {#name, status, text},
    ENTITABLE_ERROR_CODES(ENTITABLE_X)
#undef ENTITABLE_X
};

const CodeEntry& EntryOf(ErrorCode code) {
  return kCodes[static_cast<std::size_t>(code)];
}

}  // namespace

std::string_view ErrorName(ErrorCode code) { return EntryOf(code).name; }

std::optional<ErrorCode> FindErrorCode(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kCodes); ++i) {
    if (kCodes[i].name == name) return static_cast<ErrorCode>(i);
  }
  return std::nullopt;
}

int HttpStatus(ErrorCode code) { return EntryOf(code).status; }

std::string_view ErrorText(ErrorCode code) { return EntryOf(code).text; }

}  // namespace entitable
