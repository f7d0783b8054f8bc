#include "sync/outcome.h"

namespace entitable::sync {
namespace {

bool IsAboutTable(std::string_view code) {
  return code == "TableNotFound" || code == "TableBeingDeleted";
}

}  // namespace

RequestKind RequestFor(const RowFacts& facts) {
  if (facts.is_equal) {
    return facts.may_change ? RequestKind::kWait : RequestKind::kNothing;
  }
  if (facts.is_there) {
    return facts.is_base_there ? RequestKind::kReplace : RequestKind::kInsert;
  }
  return facts.may_be_inserted ? RequestKind::kWait : RequestKind::kDelete;
}

NextStep NextStepOf(const PushAnswer& answer) {
  if (IsAboutTable(answer.code)) return NextStep::kNoTable;
  if (answer.status >= 200 && answer.status < 300) return NextStep::kApply;
  switch (answer.status) {
    case 401:
      return NextStep::kNewCredentials;
    case 403:
      return NextStep::kNewCredentialsOnce;
    case 404:
    case 409:
    case 412:
      return NextStep::kReadAndSettle;
    case 408:
    case 429:
      return NextStep::kRetry;
    default:
      break;
  }
  const bool is_permanent = answer.status >= 400 && answer.status < 500;
  return is_permanent ? NextStep::kReject : NextStep::kRetry;
}

}  // namespace entitable::sync
