#include "entitable/error.h"

#include <cstddef>

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

int HttpStatus(ErrorCode code) { return EntryOf(code).status; }

std::string_view ErrorText(ErrorCode code) { return EntryOf(code).text; }

}  // namespace entitable
