#include "entitable/error.h"

#include <cstddef>

namespace entitable {
namespace {

struct CodeFacts {
  std::string_view name;
  int status;
};

// In the order of the enumerators, which come from the same list.
constexpr CodeFacts kFacts[] = {
#define ENTITABLE_X(name, status) {#name, status},
    ENTITABLE_ERROR_CODES(ENTITABLE_X)
#undef ENTITABLE_X
};

const CodeFacts& FactsOf(ErrorCode code) {
  return kFacts[static_cast<std::size_t>(code)];
}

}  // namespace

std::string_view ErrorName(ErrorCode code) { return FactsOf(code).name; }

int HttpStatus(ErrorCode code) { return FactsOf(code).status; }

}  // namespace entitable
