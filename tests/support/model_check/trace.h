// trace.h - what goes to and fro between an engine and a storage, for people.

#ifndef ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_TRACE_H_
#define ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_TRACE_H_

#include <string>

#include "entitable/steps.h"

namespace entitable::model_check {

// "wants to read checkpoint records after 7"
std::string Describe(const Read& read);
std::string Describe(const Commit& commit);

// "moved"
std::string Describe(CommitOutcome outcome);

}  // namespace entitable::model_check

#endif  // ENTITABLE_TESTS_SUPPORT_MODEL_CHECK_TRACE_H_
