#include <gtest/gtest.h>

#include <vector>

#include "sync/relation.h"

namespace entitable::sync {
namespace {

// Source: sync protocol, section 3, the first table and "late effects".
TEST(OutcomeTest, RequestsWhatTheRowNeeds) {
  struct Case {
    RowFacts facts;
    RequestKind kind;
  };
  const std::vector<Case> cases = {
      {{.is_there = true, .is_base_there = false}, RequestKind::kInsert},
      {{.is_there = true, .is_base_there = true}, RequestKind::kReplace},
      {{.is_there = false, .is_base_there = true}, RequestKind::kDelete},
      {{.is_there = false, .is_base_there = false, .is_equal = true},
       RequestKind::kNothing},
      {{.is_there = true, .is_base_there = true, .is_equal = true},
       RequestKind::kNothing},
      {{.is_there = false,
        .is_base_there = true,
        .may_be_inserted = true,
        .may_change = true},
       RequestKind::kWait},
      {{.is_there = false,
        .is_base_there = false,
        .is_equal = true,
        .may_be_inserted = true,
        .may_change = true},
       RequestKind::kWait},
      {{.is_there = true,
        .is_base_there = true,
        .is_equal = true,
        .may_change = true},
       RequestKind::kWait},
      {{.is_there = true,
        .is_base_there = false,
        .may_be_inserted = true,
        .may_change = true},
       RequestKind::kInsert},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(RequestFor(cases[i].facts), cases[i].kind);
  }
}

// Source: the same section, the second table.
TEST(OutcomeTest, FollowsTheAnswer) {
  struct Case {
    PushAnswer answer;
    PushVerdict next;
  };
  const std::vector<Case> cases = {
      {{202, ""}, PushVerdict::kApply},
      {{409, "EntityAlreadyExists"}, PushVerdict::kReadAndSettle},
      {{412, "UpdateConditionNotSatisfied"}, PushVerdict::kReadAndSettle},
      {{404, "ResourceNotFound"}, PushVerdict::kReadAndSettle},
      {{404, "TableNotFound"}, PushVerdict::kNoTable},
      {{409, "TableBeingDeleted"}, PushVerdict::kNoTable},
      {{400, "InvalidInput"}, PushVerdict::kReject},
      {{413, "RequestBodyTooLarge"}, PushVerdict::kReject},
      {{401, ""}, PushVerdict::kNewCredentials},
      {{403, "AuthorizationFailure"}, PushVerdict::kNewCredentialsOnce},
      {{429, ""}, PushVerdict::kRetry},
      {{408, ""}, PushVerdict::kRetry},
      {{500, "InternalError"}, PushVerdict::kRetry},
      {{503, "ServerBusy"}, PushVerdict::kRetry},
      {{0, ""}, PushVerdict::kRetry},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.answer.status);
    EXPECT_EQ(VerdictOf(one.answer), one.next);
  }
}

}  // namespace
}  // namespace entitable::sync
