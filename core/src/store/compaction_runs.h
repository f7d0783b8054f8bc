// compaction_runs.h - the inputs and the output of a compaction, in a manifest.

#ifndef ENTITABLE_STORE_COMPACTION_RUNS_H_
#define ENTITABLE_STORE_COMPACTION_RUNS_H_

#include <cstddef>
#include <span>
#include <string>

#include "entitable/storage.h"
#include "store/manifest.h"

namespace entitable {

// Where they are among the runs: the inputs, then the output.
struct CompactionRuns {
  std::size_t first;   // The first input.
  std::size_t output;  // The output, directly behind the inputs.

  std::span<Run> InputsIn(Manifest& manifest) const;
  Run& OutputIn(Manifest& manifest) const { return manifest.runs[output]; }
};

// The compaction in progress.  If there is none, gives runs their roles for
// one, with an empty output; call it only if one is due.
CompactionRuns FindOrBeginCompaction(Manifest& manifest, bool is_room_short);

// Rows of the input before its next key (null: all rows) are in the output, so
// the batch deletes their directory pages.  No engine may read the input there
// any more.
void ConsumeInput(Run& input, const std::string* next_key, Batch& batch);

// Removes the inputs, and what is known of tables that were dropped before the
// compaction began.
void EndCompaction(CompactionRuns runs, Manifest& manifest, Batch& batch);

}  // namespace entitable

#endif  // ENTITABLE_STORE_COMPACTION_RUNS_H_
