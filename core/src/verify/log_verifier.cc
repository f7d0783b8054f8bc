// What is checked, and what a flaw in it costs:
//
//   records      readable, and each with the number of its key
//   checkpoint   there, if anything else is; readable
//   manifest     there, if rows were ever flushed or loaded; readable
//   agreement    both name the same store, and the same record as the last one
//                that is flushed
//   order        no record is missing from the first one on, and each has the
//                checksum of the one before
//
// A missing checkpoint costs nothing, since the records and the manifest have
// all that it says.  A record that is flushed costs nothing, either: its rows
// are in pages.  Everything else may cost entities.

#include "verify/log_verifier.h"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include "store/catch_up.h"
#include "store/envelope.h"

namespace entitable {
namespace {

constexpr char kMissingText[] = "The value is missing.";

class LogVerifier {
 public:
  LogVerifier(const Snapshot& snapshot, bool has_pages,
              std::vector<Finding>& findings)
      : snapshot_(snapshot), has_pages_(has_pages), findings_(findings) {}

  VerifiedLog Go() {
    const std::size_t known = findings_.size();
    ReadRecords();
    ReadCheckpoint();
    ReadManifest();
    CheckAgreement();
    CheckOrder();
    // Opening the store finds everything else that would stop an engine.  It is
    // tried last, because it names only the first fault, which may be one of
    // those above.
    if (findings_.size() == known) {
      if (const auto state = OpenStore(snapshot_); !state) {
        Note(ValueKey::Checkpoint(), ValueKind::kCheckpoint, Flaw::kMisplaced,
             state.error().message);
      }
    }
    return std::move(found_);
  }

 private:
  void Note(ValueKey key, ValueKind kind, Flaw flaw, std::string message,
            bool is_lossy = true) {
    findings_.push_back(
        {key, kind, flaw, std::move(message), {}, {}, is_lossy});
  }

  void ReadRecords() {
    for (const Record& stored : snapshot_.records) {
      auto record = DecodeLogRecord(stored.value);
      if (record && record->number != stored.number) {
        record = Fail(ErrorCode::kStorageDamaged,
                      "The log record has another number than its key.");
      }
      if (record) {
        crcs_[stored.number] = EnvelopeCrc(stored.value);
        found_.records.push_back(*std::move(record));
      } else {
        unreadable_.emplace_back(stored.number, std::move(record).error());
      }
    }
  }

  void ReadCheckpoint() {
    const auto& value = snapshot_.values[0];
    if (!value) {
      if (!snapshot_.records.empty() || snapshot_.values[1] || has_pages_) {
        Note(ValueKey::Checkpoint(), ValueKind::kCheckpoint, Flaw::kMissing,
             kMissingText,
             /*is_lossy=*/false);
      }
      return;
    }
    auto checkpoint = DecodeCheckpoint(*value);
    if (checkpoint) {
      found_.checkpoint = *std::move(checkpoint);
    } else {
      Note(ValueKey::Checkpoint(), ValueKind::kCheckpoint,
           FlawOf(checkpoint.error()), checkpoint.error().message,
           /*is_lossy=*/false);
    }
  }

  bool LogHasLoad() const {
    return std::any_of(found_.records.begin(), found_.records.end(), HasLoad);
  }

  // A store without a manifest is a new one, which has only a log.  So it is
  // lost if something shows that there was one: pages, a bulk load, or records
  // that are gone.
  void ReadManifest() {
    const auto& value = snapshot_.values[1];
    if (!value) {
      const bool was_there =
          has_pages_ || LogHasLoad() ||
          (found_.checkpoint && found_.checkpoint->number > 0) ||
          (!found_.records.empty() && found_.records.front().number > 1);
      if (!was_there) return;
      found_.is_manifest_lost = true;
      return Note(ValueKey::Manifest(), ValueKind::kManifest, Flaw::kMissing,
                  kMissingText);
    }
    auto manifest = DecodeManifest(*value);
    if (manifest) {
      found_.manifest = *std::move(manifest);
      return;
    }
    found_.is_manifest_lost = true;
    Note(ValueKey::Manifest(), ValueKind::kManifest, FlawOf(manifest.error()),
         manifest.error().message);
  }

  void CheckAgreement() {
    if (!found_.checkpoint || !found_.manifest) return;
    const Checkpoint& checkpoint = *found_.checkpoint;
    const Manifest& manifest = *found_.manifest;
    if (checkpoint.store_id == manifest.store_id &&
        checkpoint.number == manifest.number &&
        checkpoint.crc == manifest.crc) {
      return;
    }
    Note(ValueKey::Checkpoint(), ValueKind::kCheckpoint, Flaw::kMisplaced,
         "The checkpoint and the manifest do not belong together.");
  }

  // Flushed records may be damaged without a loss.  Records before the first
  // one are orphans, which a slow tab has stored after a flush
  // (docs/internals/store-protocol.md).  The manifest may need more records
  // than there are: a load into pages relies on them.
  void CheckOrder() {
    const std::uint64_t flushed = found_.flushed();
    for (const auto& [number, error] : unreadable_) {
      if (number < first()) continue;
      Note(ValueKey::Record(number), ValueKind::kRecord, FlawOf(error),
           error.message, number > flushed);
    }
    std::uint64_t expected = first();
    for (const Record& stored : snapshot_.records) {
      if (stored.number < expected) continue;
      while (expected < stored.number) NoteMissing(expected++);
      ++expected;
    }
    const std::uint64_t needed = found_.manifest ? found_.manifest->needs : 0;
    while (expected <= needed) NoteMissing(expected++);
    for (const LogRecord& record : found_.records) CheckChain(record);
  }

  std::uint64_t first() const {
    return found_.checkpoint ? found_.checkpoint->first_record
                             : found_.flushed() + 1;
  }

  void NoteMissing(std::uint64_t number) {
    Note(ValueKey::Record(number), ValueKind::kRecord, Flaw::kMissing,
         kMissingText, number > found_.flushed());
  }

  // A record that continues another log than this one was written by a tab that
  // did not know of it, and must not be replayed.
  void CheckChain(const LogRecord& record) {
    if (record.number < first()) return;
    const auto found = crcs_.find(record.number - 1);
    std::optional<std::uint32_t> before;
    if (found != crcs_.end()) before = found->second;
    if (found_.checkpoint && record.number == found_.checkpoint->number + 1) {
      before = found_.checkpoint->crc;
    }
    if (!before || *before == record.previous_crc) return;
    Note(ValueKey::Record(record.number), ValueKind::kRecord, Flaw::kMisplaced,
         "The log record does not continue the record before it.");
  }

  const Snapshot& snapshot_;
  bool has_pages_;
  std::vector<Finding>& findings_;
  VerifiedLog found_;
  std::vector<std::pair<std::uint64_t, Error>> unreadable_;
  // The checksums of the readable records.
  std::map<std::uint64_t, std::uint32_t> crcs_;
};

}  // namespace

VerifiedLog VerifyLog(const Snapshot& snapshot, bool has_pages,
                      std::vector<Finding>& findings) {
  return LogVerifier(snapshot, has_pages, findings).Go();
}

bool HasLoad(const LogRecord& record) {
  return std::any_of(record.changes.begin(), record.changes.end(),
                     [](const Change& change) {
                       return std::holds_alternative<RangeLoaded>(change);
                     });
}

// A value of a newer version is not damaged: a newer program can read it.
Flaw FlawOf(const Error& error) {
  return error.code == ErrorCode::kStorageVersionNewer ? Flaw::kNewer
                                                       : Flaw::kDamaged;
}

}  // namespace entitable
