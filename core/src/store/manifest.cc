#include "store/manifest.h"

#include <algorithm>

#include "base/fields.h"
#include "store/checkpoint.h"

namespace entitable {
namespace {

// The inputs must be adjacent, and the only output directly behind them.
bool AreRolesSound(const std::vector<Run>& runs) {
  auto at = runs.begin();
  const auto skip = [&](CompactionRole role) {
    const auto start = at;
    while (at != runs.end() && at->role == role) ++at;
    return at - start;
  };
  skip(CompactionRole::kNone);
  const auto sources = skip(CompactionRole::kInput);
  const auto outputs = skip(CompactionRole::kOutput);
  skip(CompactionRole::kNone);
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

void ForgetDroppedWithoutRuns(Manifest& manifest) {
  if (!manifest.runs.empty()) return;
  manifest.dropped.clear();
  manifest.pending_drops = 0;
}

template <typename Io>
void Fields(Io& io, Of<Io, Run>& run) {
  io.Choice(run.role, CompactionRole::kOutput);
  io.Text(run.begin);
  io.Text(run.end);
  io.Many(run.directories, [&](auto& entry) { Fields(io, entry); });
  io.Check([&] { return IsAscending(run.directories); });
}

template <typename Io>
void Fields(Io& io, Of<Io, Manifest>& manifest) {
  io.Raw(manifest.store_id);
  io.U64(manifest.version);
  io.U64(manifest.number);
  io.U32(manifest.crc);
  io.U64(manifest.last_timestamp.ticks);
  io.U64(manifest.needs);
  io.Varint(manifest.next_page);
  io.Varint(manifest.next_table);
  io.Many(manifest.dropped, [&](auto& table) { io.Varint(table); });
  io.Varint(manifest.pending_drops);
  io.Many(manifest.runs, [&](auto& run) { Fields(io, run); });
  io.Check([&] {
    return AreRolesSound(manifest.runs) &&
           IsLastTimestamp(manifest.last_timestamp) &&
           manifest.pending_drops <= manifest.dropped.size();
  });
}

Bytes EncodeManifest(const Manifest& manifest) {
  return Seal(kManifestKind, EncodeFields(manifest));
}

Result<Manifest> DecodeManifest(BytesView value) {
  ENTITABLE_TRY(const OpenedEnvelope envelope, Unseal(kManifestKind, value));
  Manifest manifest;
  if (!DecodeFields(envelope.body, manifest)) {
    return Fail(ErrorCode::kStorageDamaged,
                "The manifest has an invalid format.");
  }
  return manifest;
}

}  // namespace entitable
