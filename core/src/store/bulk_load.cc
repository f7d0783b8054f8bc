#include "store/bulk_load.h"

#include <utility>

namespace entitable {

BulkLoad::BulkLoad(const AccountState& state, const StoreLimits& limits)
    : state_(state),
      manifest_(state.manifest()),
      writer_(limits, manifest_.next_page, batch_) {}

BulkLoad::Output BulkLoad::Finish(DateTime timestamp) {
  Run run{.directories = writer_.Finish()};
  run.end = writer_.last_key();
  Output output{.pages = std::move(batch_.puts),
                .manifest = {},
                .first_directory = run.directories.front().page,
                .last_key = run.end};
  manifest_.runs.insert(manifest_.runs.begin(), std::move(run));
  ++manifest_.version;
  manifest_.needs = state_.head() + 1;
  manifest_.last_timestamp = timestamp;
  output.manifest = EncodeManifest(manifest_);
  return output;
}

}  // namespace entitable
