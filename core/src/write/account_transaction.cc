// How a transaction of the account is stored.
//
// It is evaluated in a commit group, as other writes are, so on top of what the
// group will store before it.  At this moment nothing that it has read may have
// changed behind its position: neither by a record, nor by an earlier write of
// the group.  The group is stored only if its state was the newest, so its
// place in the log is the place of the transaction in the one order that all of
// them fit.  If another engine was faster, the group is evaluated again, and
// the newer records are looked at, too.

#include "write/account_transaction.h"

#include <cstddef>
#include <string>
#include <utility>

#include "base/http_status.h"
#include "base/json_writer.h"
#include "model/etag.h"
#include "store/range_set.h"
#include "write/write.h"

namespace entitable {
namespace {

Error TooManyChanges(std::size_t writes, std::size_t bytes) {
  const auto append = [](std::size_t number, std::string& text) {
    AppendDecimal(static_cast<std::int64_t>(number), text);
  };
  std::string text = "The first ";
  append(writes, text);
  text += " writes of the transaction change ";
  append(bytes, text);
  text += " bytes, and a transaction changes at most ";
  append(kMaxAccountTransactionBytes, text);
  text += ". Use several transactions.";
  return Error(ErrorCode::kRequestBodyTooLarge, std::move(text));
}

}  // namespace

bool IsOutdated(const AccountTransactionRequest& request,
                const AccountState& state) {
  const std::uint64_t head = state.head();
  if (request.reads.empty() || request.position == head) return false;
  return request.position > head ||
         state.recent().HaveChanged(RangeSet(request.reads), request.position);
}

// A group that is pending may be missed by later ones, so that these fail.
Poll<void> StageAll(std::span<const WriteEntitiesRequest> groups,
                    DateTime timestamp, const EngineOptions& options,
                    Staging& staging) {
  Poll<void> staged;
  std::size_t writes = 0;
  for (const WriteEntitiesRequest& group : groups) {
    auto one = StageEntities(group, timestamp, options, staging);
    if (one.is_pending()) {
      staged = Pending::kPages;
    } else if (!one && staged.is_pending()) {
      return staged;
    } else if (!one) {
      Error error = *std::move(one.error().error);
      // The parts of a group are no parts of a request.
      error.operation.reset();
      return error;
    }
    staging.Publish();
    writes += group.parts.size();
    if (staging.new_bytes() > kMaxAccountTransactionBytes) {
      return TooManyChanges(writes, staging.new_bytes());
    }
  }
  return staged;
}

Poll<Response> ExecuteTransaction(const AccountTransactionRequest& request,
                                  DateTime now, const EngineOptions& options,
                                  Staging& staging) {
  if (IsOutdated(request, staging.state()) ||
      staging.HaveChanged(request.reads)) {
    return Fail(ErrorCode::kTransactionConflict);
  }
  ENTITABLE_TRY(const DateTime timestamp, staging.NextTimestamp(now));
  auto staged = StageAll(request.groups, timestamp, options, staging);
  if (!staged) {
    staging.Undo();
    return HandedUp{staged.error()};
  }
  if (!request.groups.empty()) staging.End(timestamp);
  return Response{.status = kAccepted, .etag = FormatEtag(timestamp)};
}

}  // namespace entitable
