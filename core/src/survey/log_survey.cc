#include "survey/log_survey.h"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include "engine/catch_up.h"
#include "store/envelope.h"

namespace entitable {
namespace {

constexpr char kMissingText[] = "It is missing.";

class LogSurvey {
 public:
  LogSurvey(const Snapshot& snapshot, bool has_pages,
            std::vector<Finding>& findings)
      : snapshot_(snapshot), has_pages_(has_pages), findings_(findings) {}

  SurveyedLog Go() {
    const std::size_t known = findings_.size();
    ReadRecords();
    ReadBase();
    ReadRoot();
    CheckAgreement();
    CheckOrder();
    // Whatever an engine would not open for is found out by opening.
    if (findings_.size() == known) {
      if (const auto state = OpenStore(snapshot_); !state) {
        Note(ValueKey::Base(), ValueKind::kBase, Flaw::kMisplaced,
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
                      "It is the record of another number.");
      }
      if (record) {
        crcs_[stored.number] = EnvelopeCrc(stored.value);
        found_.records.push_back(*std::move(record));
      } else {
        unreadable_.emplace_back(stored.number, std::move(record).error());
      }
    }
  }

  void ReadBase() {
    const auto& value = snapshot_.values[0];
    if (!value) {
      if (!snapshot_.records.empty() || snapshot_.values[1] || has_pages_) {
        Note(ValueKey::Base(), ValueKind::kBase, Flaw::kMissing, kMissingText,
             /*is_lossy=*/false);
      }
      return;
    }
    auto base = DecodeLogBase(*value);
    if (base) {
      found_.base = *std::move(base);
    } else {
      Note(ValueKey::Base(), ValueKind::kBase, FlawOf(base.error()),
           base.error().message, /*is_lossy=*/false);
    }
  }

  bool LogHasLoad() const {
    return std::any_of(found_.records.begin(), found_.records.end(), HasLoad);
  }

  void ReadRoot() {
    const auto& value = snapshot_.values[1];
    if (!value) {
      const bool was_there =
          has_pages_ || LogHasLoad() ||
          (found_.base && found_.base->number > 0) ||
          (!found_.records.empty() && found_.records.front().number > 1);
      if (!was_there) return;
      found_.is_root_lost = true;
      return Note(ValueKey::Root(), ValueKind::kRoot, Flaw::kMissing,
                  kMissingText);
    }
    auto root = DecodeRoot(*value);
    if (root) {
      found_.root = *std::move(root);
      return;
    }
    found_.is_root_lost = true;
    Note(ValueKey::Root(), ValueKind::kRoot, FlawOf(root.error()),
         root.error().message);
  }

  void CheckAgreement() {
    if (!found_.base || !found_.root) return;
    const LogBase& base = *found_.base;
    const Root& root = *found_.root;
    if (base.store_id == root.store_id && base.number == root.number &&
        base.crc == root.crc) {
      return;
    }
    Note(ValueKey::Base(), ValueKind::kBase, Flaw::kMisplaced,
         "The base of the log and the root do not agree.");
  }

  // Records that are in pages may be anything without a loss, and those before
  // the first are void.
  void CheckOrder() {
    const std::uint64_t folded = found_.folded();
    for (const auto& [number, error] : unreadable_) {
      if (number < first()) continue;
      Note(ValueKey::Record(number), ValueKind::kRecord, FlawOf(error),
           error.message, number > folded);
    }
    std::uint64_t expected = first();
    for (const Record& stored : snapshot_.records) {
      if (stored.number < expected) continue;
      while (expected < stored.number) NoteMissing(expected++);
      ++expected;
    }
    const std::uint64_t needed = found_.root ? found_.root->needs : 0;
    while (expected <= needed) NoteMissing(expected++);
    for (const LogRecord& record : found_.records) CheckChain(record);
  }

  std::uint64_t first() const {
    return found_.base ? found_.base->first_record : found_.folded() + 1;
  }

  void NoteMissing(std::uint64_t number) {
    Note(ValueKey::Record(number), ValueKind::kRecord, Flaw::kMissing,
         kMissingText, number > found_.folded());
  }

  void CheckChain(const LogRecord& record) {
    if (record.number < first()) return;
    const auto found = crcs_.find(record.number - 1);
    std::optional<std::uint32_t> before;
    if (found != crcs_.end()) before = found->second;
    if (found_.base && record.number == found_.base->number + 1) {
      before = found_.base->crc;
    }
    if (!before || *before == record.previous_crc) return;
    Note(ValueKey::Record(record.number), ValueKind::kRecord, Flaw::kMisplaced,
         "It does not continue the record before it.");
  }

  const Snapshot& snapshot_;
  bool has_pages_;
  std::vector<Finding>& findings_;
  SurveyedLog found_;
  std::vector<std::pair<std::uint64_t, Error>> unreadable_;
  std::map<std::uint64_t, std::uint32_t> crcs_;  // Of those that are readable.
};

}  // namespace

SurveyedLog LookAtLog(const Snapshot& snapshot, bool has_pages,
                      std::vector<Finding>& findings) {
  return LogSurvey(snapshot, has_pages, findings).Go();
}

bool HasLoad(const LogRecord& record) {
  return std::any_of(record.changes.begin(), record.changes.end(),
                     [](const Change& change) {
                       return std::holds_alternative<RangeLoaded>(change);
                     });
}

Flaw FlawOf(const Error& error) {
  return error.code == ErrorCode::kStorageVersionNewer ? Flaw::kNewer
                                                       : Flaw::kDamaged;
}

}  // namespace entitable
