#include "entitable/error.h"

#include <cstddef>
#include <iterator>
#include <utility>

namespace entitable {
namespace {

// The codes are numbered in the order of the list, so a code is the index of
// its entry.  A search by name is linear: only errors that a host reports need
// it.
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

Error::Error(ErrorCode error_code, const char* literal)
    : code(error_code),
      message(literal != nullptr ? std::string_view(literal)
                                 : ErrorText(error_code)) {}
Error::Error(ErrorCode error_code, std::string text)
    : code(error_code), message(std::move(text)) {}
Error::Error(const Error& other) = default;
Error::Error(Error&& other) noexcept = default;
Error& Error::operator=(const Error& other) = default;
Error& Error::operator=(Error&& other) noexcept = default;
Error::~Error() = default;

}  // namespace entitable
