// manifest.h - the list of all sorted runs.
//
// Pages form sorted runs.  A run is a sequence of leaf pages in key order,
// under one level of directory pages.  A row of a newer run hides the row with
// the same key in an older run.  A flush adds a new run in front; a compaction
// makes one run of several.  Each of them stores a new manifest.

#ifndef ENTITABLE_STORE_MANIFEST_H_
#define ENTITABLE_STORE_MANIFEST_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/date_time.h"
#include "entitable/result.h"
#include "entitable/storage.h"
#include "store/change.h"
#include "store/directory_page.h"
#include "store/envelope.h"

namespace entitable {

// The role of a run in the compaction that is in progress.
enum class CompactionRole : std::uint8_t {
  kNone = 0,
  kInput = 1,   // Its rows before `begin` are already in the output.
  kOutput = 2,  // Directly behind the inputs.
};

struct Run {
  CompactionRole role = CompactionRole::kNone;

  // Rows before this key are obsolete, and their pages may be gone.
  std::string begin = {};

  // No row follows this key, so a search behind it needs no page.
  std::string end = {};

  // In key order.  The output of a compaction may have none yet.
  std::vector<PageEntry> directories = {};

  // Whether the run can contain a row with this key.
  bool MayHold(std::string_view sort_key) const;

  PageTotals totals() const;
  bool operator==(const Run&) const = default;
};

//   manifest = envelope of kind "ETRT", version 1, around
//   body     = store_id:16 bytes version:u64 number:u64 crc:u32 ticks:u64
//              needs:u64 next_page:varint next_table:varint
//              dropped_count:varint { table:varint } pending_drops:varint
//              run_count:varint { run }
//   run      = role:u8 begin:text end:text directory_count:varint { entry }
struct Manifest {
  Random128 store_id{};       // The same as in the checkpoint.
  std::uint64_t version = 0;  // Increases by one with each stored manifest.
  std::uint64_t number = 0;   // All changes up to this log record are in pages.
  std::uint32_t crc = 0;      // Of that record; zero if there is none.
  DateTime last_timestamp{};

  // The last log record that a reader must know to combine these pages with the
  // log.  Records after `number` may have rows that are already in these pages
  // (a bulk load).  They may also have replaced or dropped rows, which the
  // flush therefore left out of these pages.  A value up to `number` means that
  // the pages alone suffice.
  std::uint64_t needs = 0;

  PageId next_page = 1;
  TableId next_table = 1;

  // Dropped tables that may still have rows in pages.  A compaction of all runs
  // that is in progress removes the rows of the first `pending_drops` tables:
  // these were dropped before it began.
  std::vector<TableId> dropped = {};
  std::uint64_t pending_drops = 0;

  std::vector<Run> runs = {};  // The newest first.

  bool operator==(const Manifest&) const = default;
};

// Without runs, no table has rows in pages, and no compaction would ever clear
// the list of dropped tables.  So this clears it.
void ForgetDroppedWithoutRuns(Manifest& manifest);

inline constexpr EnvelopeKind kManifestKind{"ETRT", 1};

Bytes EncodeManifest(const Manifest& manifest);

// Fails with StorageDamaged if the bytes are invalid.  Safe for any bytes.
Result<Manifest> DecodeManifest(BytesView value);

}  // namespace entitable

#endif  // ENTITABLE_STORE_MANIFEST_H_
