// group_verdict.h - what becomes of a commit group that was sent.
//
// The storage answers, or a read of the log shows something.  The table says
// what follows, which depends on whether an earlier attempt may still arrive.
// docs/internals/store-protocol.md has the same table, with the reasons.

#ifndef ENTITABLE_COMMIT_GROUP_VERDICT_H_
#define ENTITABLE_COMMIT_GROUP_VERDICT_H_

#include <array>
#include <cstdint>

#include "base/transitions.h"

namespace entitable {

// What the storage has of the group, since its last evaluation.
enum class GroupRecord : std::uint8_t {
  kNone,
  kSent,
  kInDoubt,  // An outcome was unknown: it is stored, now or later, or never.
};

enum class GroupFact : std::uint8_t {
  // The outcome of the commit.
  kStored,  // Or the log has it.
  kMoved,
  kNoRoom,   // For a record that adds something, too.
  kRefused,  // Or no room for deletions alone, or for pages.
  kUnknown,
  kSilence,  // Unknown once more, after several searches.
  // What the log shows.
  kUnclear,      // Records were flushed after the log was read.
  kForgotten,    // The checkpoint has no commits of that time any more.
  kUnexplained,  // The commit was moved, and nothing in the log is new.
  kNotThere,
  kNextInLog,  // Not there, and the next record would have its number.
};

enum class GroupVerdict : std::uint8_t {
  kConfirm,        // Answer the writes.
  kCatchUp,        // Read what is new, and keep other writers out.
  kKeepDeletions,  // Fail all others, and evaluate again.
  kSearch,         // Read all unflushed records.
  kEvaluate,       // Evaluate again.
  kSendAgain,      // The same bytes.
  kAbandon,        // Fail what was to be stored.
};

inline constexpr auto kGroupTable = [] {
  using enum GroupRecord;
  using enum GroupFact;
  using enum GroupVerdict;
  return std::to_array<Transition<GroupRecord, GroupFact, GroupVerdict>>({
      {kStored, {kSent, kInDoubt}, kConfirm},
      {kMoved, {kSent, kInDoubt}, kCatchUp},
      {kNoRoom, {kSent}, kKeepDeletions},
      {kNoRoom, {kInDoubt}, kAbandon},
      {kRefused, {kSent, kInDoubt}, kAbandon},
      {kUnknown, {kInDoubt}, kSearch},
      {kSilence, {kInDoubt}, kAbandon},
      {kUnclear, {kSent, kInDoubt}, kSearch},
      {kForgotten, {kSent, kInDoubt}, kAbandon},
      {kUnexplained, {kSent, kInDoubt}, kAbandon},
      {kNotThere, {kNone, kSent, kInDoubt}, kEvaluate},
      {kNextInLog, {kSent}, kEvaluate},
      {kNextInLog, {kInDoubt}, kSendAgain},
  });
}();
static_assert(IsComplete(kGroupTable, GroupRecord::kInDoubt,
                         GroupFact::kNextInLog, GroupVerdict::kAbandon));

}  // namespace entitable

#endif  // ENTITABLE_COMMIT_GROUP_VERDICT_H_
