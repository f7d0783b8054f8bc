#include "support/model_check/trace.h"

namespace entitable::model_check {
namespace {

std::string TextOf(const ValueKey& key) {
  constexpr const char* kNames[] = {"checkpoint", "record ", "manifest",
                                    "page "};
  const bool is_numbered =
      key.kind == ValueKey::Kind::kRecord || key.kind == ValueKey::Kind::kPage;
  return kNames[static_cast<std::size_t>(key.kind)] +
         (is_numbered ? std::to_string(key.number) : "");
}

}  // namespace

std::string Describe(CommitOutcome outcome) {
  switch (outcome) {
    case CommitOutcome::kOk:
      return "ok";
    case CommitOutcome::kMoved:
      return "moved";
    case CommitOutcome::kQuota:
      return "quota";
    case CommitOutcome::kRefused:
      return "refused";
    case CommitOutcome::kUnknown:
      return "unknown";
  }
  return "?";
}

std::string Describe(const Read& read) {
  std::string text = "wants to read";
  for (const ValueKey& key : read.keys) text += " " + TextOf(key);
  if (read.records_after) {
    text += " records after " + std::to_string(*read.records_after);
  }
  return text;
}

std::string Describe(const Commit& commit) {
  std::string text = "wants to put";
  for (const Put& put : commit.batch.puts) text += " " + TextOf(put.key);
  for (const ValueKey& key : commit.batch.deletes) {
    text += " without " + TextOf(key);
  }
  return text;
}

}  // namespace entitable::model_check
