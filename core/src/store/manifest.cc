#include "store/manifest.h"

#include <algorithm>
#include <string_view>

#include "base/coding.h"
#include "store/checkpoint.h"

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
  const std::uint8_t role = bytes.ReadU8();
  if (role > static_cast<std::uint8_t>(CompactionRole::kOutput)) bytes.Fail();
  run.role = static_cast<CompactionRole>(role);
  run.begin = bytes.ReadText();
  run.end = bytes.ReadText();
  for (std::uint64_t n = bytes.ReadVarint(); n > 0 && !bytes.failed(); --n) {
    run.directories.push_back(ReadPageEntry(bytes));
  }
  if (!IsAscending(run.directories)) bytes.Fail();
  return run;
}

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

Bytes EncodeManifest(const Manifest& manifest) {
  Bytes body(manifest.store_id.begin(), manifest.store_id.end());
  AppendU64(manifest.version, body);
  AppendU64(manifest.number, body);
  AppendU32(manifest.crc, body);
  AppendU64(static_cast<std::uint64_t>(manifest.last_timestamp.ticks), body);
  AppendU64(manifest.needs, body);
  AppendVarint(manifest.next_page, body);
  AppendVarint(manifest.next_table, body);
  AppendVarint(manifest.dropped.size(), body);
  for (const TableId table : manifest.dropped) AppendVarint(table, body);
  AppendVarint(manifest.pending_drops, body);
  AppendVarint(manifest.runs.size(), body);
  for (const Run& run : manifest.runs) AppendRun(run, body);
  return Seal(kManifestKind, body);
}

Result<Manifest> DecodeManifest(BytesView value) {
  ENTITABLE_TRY(const OpenedEnvelope envelope, Unseal(kManifestKind, value));
  Manifest manifest;
  Decoder body(envelope.body);
  const std::string_view store_id = body.ReadBytes(manifest.store_id.size());
  std::copy(store_id.begin(), store_id.end(), manifest.store_id.begin());
  manifest.version = body.ReadU64();
  manifest.number = body.ReadU64();
  manifest.crc = body.ReadU32();
  manifest.last_timestamp.ticks = static_cast<std::int64_t>(body.ReadU64());
  manifest.needs = body.ReadU64();
  manifest.next_page = body.ReadVarint();
  manifest.next_table = body.ReadVarint();
  for (std::uint64_t n = body.ReadVarint(); n > 0 && !body.failed(); --n) {
    manifest.dropped.push_back(body.ReadVarint());
  }
  manifest.pending_drops = body.ReadVarint();
  for (std::uint64_t n = body.ReadVarint(); n > 0 && !body.failed(); --n) {
    manifest.runs.push_back(TakeRun(body));
  }
  if (body.failed() || !body.at_end() || !AreRolesSound(manifest.runs) ||
      !IsLastTimestamp(manifest.last_timestamp) ||
      manifest.pending_drops > manifest.dropped.size()) {
    return Fail(ErrorCode::kStorageDamaged,
                "The manifest has an invalid format.");
  }
  return manifest;
}

}  // namespace entitable
