// log_verifier.h - checks the checkpoint, the manifest and the log of a store.

#ifndef ENTITABLE_VERIFY_LOG_VERIFIER_H_
#define ENTITABLE_VERIFY_LOG_VERIFIER_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "entitable/storage.h"
#include "entitable/verify.h"
#include "store/checkpoint.h"
#include "store/log_record.h"
#include "store/manifest.h"

namespace entitable {

// Everything that could be read of a snapshot of the log.
struct VerifiedLog {
  std::optional<Checkpoint> checkpoint = {};
  std::optional<Manifest> manifest = {};
  bool is_manifest_lost = false;  // A manifest existed, but it cannot be read.
  std::vector<LogRecord> records = {};  // Ascending.

  // The last record whose changes are all in pages, as far as known.
  std::uint64_t flushed() const {
    return manifest ? manifest->number : checkpoint ? checkpoint->number : 0;
  }
};

// `has_pages`: the host has listed pages.
//
// What cannot be read is a finding and left out, so the result may have gaps.
VerifiedLog VerifyLog(const Snapshot& snapshot, bool has_pages,
                      std::vector<Finding>& findings);

// Whether the record belongs to a bulk load into pages.
bool HasLoad(const LogRecord& record);

// The flaw that a decoding error means.
Flaw FlawOf(const Error& error);

}  // namespace entitable

#endif  // ENTITABLE_VERIFY_LOG_VERIFIER_H_
