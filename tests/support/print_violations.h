// print_violations.h - violations as text.

#ifndef ENTITABLE_TESTS_SUPPORT_PRINT_VIOLATIONS_H_
#define ENTITABLE_TESTS_SUPPORT_PRINT_VIOLATIONS_H_

#include <string>
#include <vector>

#include "entitable/error.h"
#include "entitable/validate.h"
#include "entitable/violation.h"

namespace entitable {

// "key-length RowKey PropertyValueTooLarge 1025>1024" or, of a character,
// "key-character RowKey OutOfRangeInput #@1"; one a line.
inline std::string Print(const std::vector<Violation>& violations) {
  std::string text;
  for (const Violation& one : violations) {
    if (!text.empty()) text += '\n';
    text.append(RuleName(one.rule));
    if (one.path) text.append(" ").append(*one.path);
    text.append(" ").append(ErrorName(one.code));
    if (one.limit) {
      text += ' ' + std::to_string(one.actual.value()) +
              (*one.actual > *one.limit ? '>' : '<') +
              std::to_string(*one.limit);
    }
    if (one.position) {
      text += ' ' + one.character + '@' + std::to_string(*one.position);
    }
  }
  return text;
}

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_PRINT_VIOLATIONS_H_
