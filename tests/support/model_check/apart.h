// apart.h - work in a process of its own.
//
// An engine that stops the program (an assertion, a sanitizer, no memory) would
// take the search for its shortest schedule down with it.

#ifndef ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_APART_H_
#define ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_APART_H_

#include <functional>
#include <string>
#include <string_view>

namespace entitable::model_check {

using Say = std::function<void(std::string_view)>;

// What became of the work, and all that it said until then.
struct Apart {
  bool has_ended = false;  // By itself.
  std::string said = {};
};

enum class Errors { kShown, kHidden };  // What goes to the standard error.

// Nothing that the work changes outlives it.
Apart RunApart(const std::function<void(const Say&)>& work,
               Errors errors = Errors::kShown);

}  // namespace entitable::model_check

#endif  // ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_APART_H_
