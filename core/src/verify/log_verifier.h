// log_verifier.h - what the log and the root of a store are worth.

#ifndef ENTITABLE_VERIFY_LOG_VERIFIER_H_
#define ENTITABLE_VERIFY_LOG_VERIFIER_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "entitable/engine.h"
#include "entitable/verify.h"
#include "store/checkpoint.h"
#include "store/log_record.h"
#include "store/manifest.h"

namespace entitable {

// All that could be read of a snapshot of the log with base and root.
struct VerifiedLog {
  std::optional<Checkpoint> checkpoint = {};
  std::optional<Manifest> manifest = {};
  bool is_manifest_lost = false;        // There was one.
  std::vector<LogRecord> records = {};  // Ascending.

  // The last record of which all changes are in pages, as far as anybody knows.
  std::uint64_t flushed() const {
    return manifest ? manifest->number : checkpoint ? checkpoint->number : 0;
  }
};

// `has_pages`: the host knows of some.
VerifiedLog VerifyLog(const Snapshot& snapshot, bool has_pages,
                      std::vector<Finding>& findings);

// Whether a load into pages stands in the record.
bool HasLoad(const LogRecord& record);

// The flaw that an error of decoding tells of.
Flaw FlawOf(const Error& error);

}  // namespace entitable

#endif  // ENTITABLE_VERIFY_LOG_VERIFIER_H_
