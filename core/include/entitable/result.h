// result.h - a value, or the error that prevented it.

#ifndef ENTITABLE_RESULT_H_
#define ENTITABLE_RESULT_H_

#include <expected>
#include <string>
#include <utility>

#include "entitable/error.h"

namespace entitable {

// What ENTITABLE_TRY returns: the error of one Result, to be moved to the next.
template <typename E>
struct HandedUp {
  E& error;
};

// The result of every function that can fail.  A struct, because an alias of
// std::expected could not be [[nodiscard]].
template <typename T>
struct [[nodiscard]] Result : std::expected<T, Error> {
  using std::expected<T, Error>::expected;
  Result(HandedUp<Error> failure)
      : std::expected<T, Error>(std::unexpect, std::move(failure.error)) {}
  Result(Failure failure)
      : std::expected<T, Error>(std::unexpect, failure.code, failure.literal) {}
  Result(Error&& error)
      : std::expected<T, Error>(std::unexpect, std::move(error)) {}
  Result(const Error& error) : std::expected<T, Error>(std::unexpect, error) {}
};

// The failing side of a Result: `return Fail(ErrorCode::kInvalidInput);`
inline Failure Fail(ErrorCode code, const char* literal = nullptr) {
  return {code, literal};
}
inline Error Fail(ErrorCode code, std::string message) {
  return Error(code, std::move(message));
}

}  // namespace entitable

// Hands a failure up, or goes on with the value:
//   ENTITABLE_TRY(TableName name, TableName::Parse(text));
//   ENTITABLE_TRY(CheckSize(entity));
#define ENTITABLE_TRY(...)                                            \
  ENTITABLE_TRY_CHOOSE(__VA_ARGS__, ENTITABLE_TRY_2, ENTITABLE_TRY_1) \
  (__VA_ARGS__)

#define ENTITABLE_TRY_CHOOSE(first, second, chosen, ...) chosen
#define ENTITABLE_TRY_1(expression)                  \
  do {                                               \
    if (auto outcome = (expression); !outcome) {     \
      return ::entitable::HandedUp{outcome.error()}; \
    }                                                \
  } while (false)
#define ENTITABLE_TRY_2(declaration, expression)                           \
  ENTITABLE_TRY_NAMED(ENTITABLE_TRY_JOIN(outcome_, __LINE__), declaration, \
                      expression)
#define ENTITABLE_TRY_NAMED(outcome, declaration, expression)  \
  auto outcome = (expression);                                 \
  if (!outcome) return ::entitable::HandedUp{outcome.error()}; \
  declaration = *std::move(outcome)
#define ENTITABLE_TRY_JOIN(a, b) ENTITABLE_TRY_JOIN_2(a, b)
#define ENTITABLE_TRY_JOIN_2(a, b) a##b

#endif  // ENTITABLE_RESULT_H_
