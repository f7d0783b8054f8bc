// manifest.h - the top of all pages.
//
// The pages form runs, each a sequence of leaf pages in key order under a level
// of directory pages; a row of a newer run hides the row of an older one with
// the same key.  Folding puts a new run in front, merging makes one of several.

#ifndef ENTITABLE_STORE_MANIFEST_H_
#define ENTITABLE_STORE_MANIFEST_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/date_time.h"
#include "entitable/engine.h"
#include "entitable/page.h"
#include "entitable/result.h"
#include "store/change.h"
#include "store/directory_page.h"
#include "store/envelope.h"

namespace entitable {

// What a merge that is under way makes of a run.
enum class CompactionRole : std::uint8_t {
  kNone = 0,
  kInput = 1,   // Its rows before `begin` are in the output already.
  kOutput = 2,  // Stands right behind the sources.
};

struct Run {
  CompactionRole role = CompactionRole::kNone;

  // Rows before it are void, and their pages may be gone.
  std::string begin = {};

  // No row comes after it, so that who looks there needs no page.
  std::string end = {};

  std::vector<PageEntry> directories =
      {};  // In key order; of an output maybe none.

  // Whether a row with this key can be in it.
  bool MayHold(std::string_view sort_key) const;

  PageTotals totals() const;
  bool operator==(const Run&) const = default;
};

//   root = envelope of kind "ETRT", version 1, around
//   body = store_id:16 bytes epoch:u64 number:u64 crc:u32 ticks:u64
//          needs:u64 next_page:varint next_table:varint
//          dropped_count:varint { table:varint } purging:varint
//          run_count:varint { run }
//   run  = role:u8 begin:text end:text directory_count:varint { entry }
struct Manifest {
  Random128 store_id{};       // That of the log.
  std::uint64_t version = 0;  // One more with each root that is stored.
  std::uint64_t number = 0;   // All changes up to this record are in pages.
  std::uint32_t crc = 0;      // Of that record; zero when there is none.
  DateTime last_timestamp{};

  // The record that one has to know to read these pages together with the log:
  // of a later record's rows some are in them already, or some are in neither.
  // At most the number above, or zero, when that is enough.
  std::uint64_t needs = 0;

  PageId next_page = 1;
  TableId next_table = 1;

  // Dropped tables of which rows may be in pages.  The first `purging` of them
  // had been dropped before the merge of all runs that is under way began.
  std::vector<TableId> dropped = {};
  std::uint64_t pending_drops = 0;

  std::vector<Run> runs = {};  // The newest first.

  bool operator==(const Manifest&) const = default;
};

// Without a run no table has rows in pages, and nothing would ever clear the
// list of dropped ones.
void ForgetDroppedWithoutRuns(Manifest& manifest);

inline constexpr EnvelopeKind kManifestKind{"ETRT", 1};

Bytes EncodeManifest(const Manifest& manifest);

// Fails with StorageDamaged; survives any bytes.
Result<Manifest> DecodeManifest(BytesView value);

}  // namespace entitable

#endif  // ENTITABLE_STORE_MANIFEST_H_
