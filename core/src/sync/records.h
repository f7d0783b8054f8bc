// records.h - the state of sync as bytes.
//
// docs/internals/sync.md has the grammar.

#ifndef ENTITABLE_SYNC_RECORDS_H_
#define ENTITABLE_SYNC_RECORDS_H_

#include <optional>
#include <string>
#include <string_view>

#include "entitable/result.h"
#include "sync/state.h"

namespace entitable::sync {

// What is stored of a record: a version byte and its bytes.
std::string WithVersion(std::string_view bytes);

// The bytes of what is stored.  Fails with StorageVersionNewer, or
// StorageDamaged.
Result<std::string> WithoutVersion(std::string_view stored);

std::string EncodeEtag(std::string_view etag);
std::string EncodeMark(const Mark& mark);
std::string EncodeGroup(const Group& group);
std::string EncodePull(const PullState& state);
std::string EncodeConflict(const ConflictRecord& conflict);

// Nothing if the bytes do not follow the grammar.
std::optional<std::string> DecodeEtag(std::string_view bytes);
std::optional<Mark> DecodeMark(std::string_view bytes);
std::optional<Group> DecodeGroup(std::string_view bytes);
std::optional<PullState> DecodePull(std::string_view bytes);
std::optional<ConflictRecord> DecodeConflict(std::string_view bytes);

}  // namespace entitable::sync

#endif  // ENTITABLE_SYNC_RECORDS_H_
