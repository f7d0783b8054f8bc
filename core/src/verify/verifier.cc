// The order of the checks.  Each stage needs what the one before has found:
//
//   kLog      checkpoint, manifest and all records, in one snapshot
//   kPages    the pages that the manifest names, from the top down
//   kStrays   all other pages, if the manifest or a directory page is lost
//   kIndexes  entries of indexes, if nothing was found so far
//   kDone     the findings are complete, and a repair may take what is sound
//
// Each read after the first has the manifest as its first value.  If it is
// another one than at the beginning, an engine has written meanwhile: pages
// that are missing may be gone for a good reason, so the check begins again at
// kLog.  Leaf pages that were valid are not read again, because a page never
// changes.  So the check ends, however busy the store is, unless it changes
// with every read.

#include <algorithm>
#include <utility>

#include "base/json_writer.h"
#include "entitable/verify.h"
#include "store/envelope.h"
#include "store/sort_key.h"
#include "store/table_row.h"
#include "verify/index_verifier.h"
#include "verify/log_verifier.h"
#include "verify/page_verifier.h"
#include "verify/recovered_manifest.h"

namespace entitable {
namespace {

// If the pages are not known, this many numbers are tried at once.  The search
// ends after this many numbers in a row without a page.
constexpr std::size_t kTried = 64;
constexpr std::uint64_t kMaxGap = std::uint64_t{1} << 16;

constexpr std::string_view kKindNames[] = {
    "checkpoint", "record", "manifest", "directory page",
    "leaf page",  "page",   "index"};
constexpr std::string_view kFlawNames[] = {"missing", "damaged", "newer",
                                           "misplaced", "twice"};

void AppendMember(std::string_view name, std::string_view text,
                  std::string& json) {
  if (json.back() != '{') json += ',';
  AppendJsonString(name, json);
  json += ':';
  AppendJsonString(text, json);
}

}  // namespace

class Verifier::Impl {
 public:
  explicit Impl(VerifierOptions options)
      : options_(std::move(options)),
        pages_(options_.repairs, tables_, findings_) {}

  std::optional<Read> Next() {
    Read read{.id = 0, .keys = {ValueKey::Manifest()}, .records_after = {}};
    if (stage_ == Stage::kLog) {
      read.keys.insert(read.keys.begin(), ValueKey::Checkpoint());
      read.records_after = 0;
      return read;
    }
    asked_.clear();
    if (stage_ == Stage::kPages) {
      asked_ = pages_.Next();
      if (asked_.empty()) EndPages();
    }
    if (stage_ == Stage::kIndexes) {
      asked_ = indexes_.Next(findings_);
      if (asked_.empty()) stage_ = Stage::kDone;
    }
    if (stage_ == Stage::kStrays) {
      asked_ = NextStrays();
      if (asked_.empty()) stage_ = Stage::kDone;
    }
    if (stage_ == Stage::kDone) return std::nullopt;
    for (const PageId id : asked_) read.keys.push_back(ValueKey::Page(id));
    return read;
  }

  // Values come in the order of the keys that were asked for, so no search is
  // needed.
  void Supply(Snapshot snapshot) {
    if (stage_ == Stage::kLog) return Begin(snapshot);
    // Another engine has changed the store: pages may be gone and new ones may
    // be there.  So the check starts over.
    if (snapshot.values.empty() || snapshot.values[0] != manifest_value_) {
      stage_ = Stage::kLog;
      return;
    }
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      auto& value = snapshot.values[i + 1];
      if (stage_ == Stage::kPages) {
        pages_.Accept(asked_[i], std::move(value));
      } else if (stage_ == Stage::kIndexes) {
        indexes_.Accept(asked_[i], std::move(value));
      } else if (pages_.AcceptStray(asked_[i], std::move(value))) {
        last_found_ = asked_[i];
      }
    }
  }

  const std::vector<Finding>& findings() const { return findings_; }

  std::string ToJson() const {
    std::string json = "{\"findings\":[";
    for (const Finding& finding : findings_) {
      if (json.back() != '[') json += ',';
      AppendFinding(finding, json);
    }
    json += "],\"named\":[";
    for (const std::string& name : named_) {
      if (json.back() != '[') json += ',';
      AppendJsonString(name, json);
    }
    return json + "]}";
  }

  // Where nothing is stored, there is nothing to recover.
  std::vector<Put> TakeRecovered() {
    if (!has_anything_) return {};
    return RecoverManifest(std::move(log_), pages_, tables_, findings_, named_);
  }

 private:
  enum class Stage : std::uint8_t { kLog, kPages, kStrays, kIndexes, kDone };

  // What an earlier attempt has found is dropped: it was about another
  // manifest.
  void Begin(const Snapshot& snapshot) {
    findings_.clear();
    tables_ = {};
    const bool has_pages = options_.pages && !options_.pages->empty();
    log_ = VerifyLog(snapshot, has_pages, findings_);
    manifest_value_ = snapshot.values[1];
    has_anything_ = snapshot.values[0] || manifest_value_ ||
                    !snapshot.records.empty() || has_pages;
    pages_.Begin(log_.manifest.value_or(Manifest()));
    indexes_.Begin(snapshot);
    stage_ = Stage::kPages;
    listed_ = 0;
    tried_ = last_found_ = 0;
  }

  // If the manifest or a directory page is lost, the pages below it are strays.
  //
  // Pages that nobody names are no damage: a tab may have crashed before it
  // deleted them.  So they are read only where something else is lost.
  void EndPages() {
    const bool has_strays = log_.is_manifest_lost || !pages_.lost().empty();
    stage_ = has_strays          ? Stage::kStrays
             : findings_.empty() ? Stage::kIndexes
                                 : Stage::kDone;
  }

  // If the host cannot list its pages, numbers are tried one after another.
  // With a manifest, the end is the next number that it would give out.
  // Without one, it is a long row of numbers that no page has.
  std::vector<PageId> NextStrays() {
    std::vector<PageId> ids;
    const std::uint64_t end =
        log_.manifest ? log_.manifest->next_page : last_found_ + kMaxGap;
    while (ids.size() < kTried) {
      if (options_.pages) {
        if (listed_ == options_.pages->size()) break;
        const PageId id = (*options_.pages)[listed_++];
        // 0 has copies of pages (store/opening_pages.h).
        if (id > 0 && !pages_.WasSeen(id)) ids.push_back(id);
      } else {
        if (++tried_ >= end) break;
        if (!pages_.WasSeen(tried_)) ids.push_back(tried_);
      }
    }
    return ids;
  }

  void AppendFinding(const Finding& finding, std::string& json) const {
    json += '{';
    AppendMember("key", KeyText(finding.key), json);
    AppendMember("kind", kKindNames[static_cast<std::size_t>(finding.kind)],
                 json);
    AppendMember("flaw", kFlawNames[static_cast<std::size_t>(finding.flaw)],
                 json);
    AppendMember("message", finding.message, json);
    AppendPlace("from", finding.from, json);
    AppendPlace("to", finding.to, json);
    json += ",\"lossy\":";
    json += finding.is_lossy ? "true}" : "false}";
  }

  // Sort keys become a table, a PartitionKey and a RowKey.  What is no sort key
  // is left out.
  void AppendPlace(std::string_view name, std::string_view sort_key,
                   std::string& json) const {
    const auto place = ParseSortKey(sort_key);
    if (!place) return;
    json += ",\"";
    json.append(name).append("\":{");
    AppendMember("table", TableName(place->table), json);
    AppendMember("partitionKey", place->key.partition_key, json);
    AppendMember("rowKey", place->key.row_key, json);
    json += '}';
  }

  // Users cannot create a table with the name Tables.
  std::string TableName(TableId id) const {
    if (id == kCatalogue) return "Tables";
    const auto name = tables_.names.find(id);
    if (name != tables_.names.end()) return name->second;
    std::string text = "#";
    AppendDecimal(static_cast<std::int64_t>(id), text);
    return text;
  }

  VerifierOptions options_;
  std::vector<Finding> findings_;
  VerifiedTables tables_;
  VerifiedLog log_;
  PageVerifier pages_;
  IndexVerifier indexes_;
  Stage stage_ = Stage::kLog;
  std::optional<Bytes> manifest_value_;
  bool has_anything_ = false;
  std::vector<PageId> asked_;
  // The progress of the search: how many listed pages were read, or the last
  // number that was tried.
  std::size_t listed_ = 0;
  std::uint64_t tried_ = 0;
  std::uint64_t last_found_ = 0;  // The last tried number that was a page.
  std::vector<std::string> named_;
};

Verifier::Verifier(VerifierOptions options)
    : impl_(std::make_unique<Impl>(std::move(options))) {}
Verifier::~Verifier() = default;
Verifier::Verifier(Verifier&&) noexcept = default;
Verifier& Verifier::operator=(Verifier&&) noexcept = default;

std::optional<Read> Verifier::Next() { return impl_->Next(); }
void Verifier::Supply(Snapshot snapshot) { impl_->Supply(std::move(snapshot)); }
const std::vector<Finding>& Verifier::findings() const {
  return impl_->findings();
}
std::string Verifier::ToJson() const { return impl_->ToJson(); }
std::vector<Put> Verifier::TakeRecovered() { return impl_->TakeRecovered(); }

}  // namespace entitable
