#include "store/root.h"

#include <algorithm>
#include <string_view>

#include "base/coding.h"
#include "store/log_base.h"

namespace entitable {
namespace {

void AppendRun(const Run& run, Bytes& out) {
  AppendU8(static_cast<std::uint8_t>(run.role), out);
  AppendText(run.begin, out);
  AppendText(run.end, out);
  AppendVarint(run.directories.size(), out);
  for (const PageEntry& entry : run.directories) AppendPageEntry(entry, out);
}

Run TakeRun(Decoder& bytes) {
  Run run;
  const std::uint8_t role = bytes.TakeU8();
  if (role > static_cast<std::uint8_t>(MergeRole::kOutput)) bytes.Fail();
  run.role = static_cast<MergeRole>(role);
  run.begin = bytes.TakeText();
  run.end = bytes.TakeText();
  for (std::uint64_t n = bytes.TakeVarint(); n > 0 && !bytes.failed(); --n) {
    run.directories.push_back(TakePageEntry(bytes));
  }
  if (!IsAscending(run.directories)) bytes.Fail();
  return run;
}

// Sources stand together, and the one output behind them.
bool AreRolesSound(const std::vector<Run>& runs) {
  auto at = runs.begin();
  const auto skip = [&](MergeRole role) {
    const auto start = at;
    while (at != runs.end() && at->role == role) ++at;
    return at - start;
  };
  skip(MergeRole::kNone);
  const auto sources = skip(MergeRole::kSource);
  const auto outputs = skip(MergeRole::kOutput);
  skip(MergeRole::kNone);
  return at == runs.end() && outputs <= 1 && (outputs == 0 || sources > 0);
}

}  // namespace

PageTotals Run::totals() const {
  PageTotals sum;
  for (const PageEntry& entry : directories) sum += entry.totals;
  return sum;
}

bool Run::MayHold(std::string_view sort_key) const {
  return !directories.empty() && directories.front().first_key <= sort_key &&
         begin <= sort_key && sort_key <= end;
}

void ForgetDroppedWithoutRuns(Root& root) {
  if (!root.runs.empty()) return;
  root.dropped.clear();
  root.purging = 0;
}

Bytes EncodeRoot(const Root& root) {
  Bytes body(root.store_id.begin(), root.store_id.end());
  AppendU64(root.epoch, body);
  AppendU64(root.number, body);
  AppendU32(root.crc, body);
  AppendU64(static_cast<std::uint64_t>(root.last_timestamp.ticks), body);
  AppendU64(root.needs, body);
  AppendVarint(root.next_page, body);
  AppendVarint(root.next_table, body);
  AppendVarint(root.dropped.size(), body);
  for (const TableId table : root.dropped) AppendVarint(table, body);
  AppendVarint(root.purging, body);
  AppendVarint(root.runs.size(), body);
  for (const Run& run : root.runs) AppendRun(run, body);
  return Seal(kRootKind, body);
}

Result<Root> DecodeRoot(BytesView value) {
  ENTITABLE_TRY(const OpenedEnvelope envelope, Unseal(kRootKind, value));
  Root root;
  Decoder body(envelope.body);
  const std::string_view store_id = body.TakeBytes(root.store_id.size());
  std::copy(store_id.begin(), store_id.end(), root.store_id.begin());
  root.epoch = body.TakeU64();
  root.number = body.TakeU64();
  root.crc = body.TakeU32();
  root.last_timestamp.ticks = static_cast<std::int64_t>(body.TakeU64());
  root.needs = body.TakeU64();
  root.next_page = body.TakeVarint();
  root.next_table = body.TakeVarint();
  for (std::uint64_t n = body.TakeVarint(); n > 0 && !body.failed(); --n) {
    root.dropped.push_back(body.TakeVarint());
  }
  root.purging = body.TakeVarint();
  for (std::uint64_t n = body.TakeVarint(); n > 0 && !body.failed(); --n) {
    root.runs.push_back(TakeRun(body));
  }
  if (body.failed() || !body.at_end() || !AreRolesSound(root.runs) ||
      !IsLastTimestamp(root.last_timestamp) ||
      root.purging > root.dropped.size()) {
    return Fail(ErrorCode::kStorageDamaged,
                "The root of the pages does not follow its grammar.");
  }
  return root;
}

}  // namespace entitable
