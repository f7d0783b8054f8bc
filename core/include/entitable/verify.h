// verify.h - checks a store value by value, and recovers what can be read.
//
// Like an Engine, a Verifier does no I/O.  It works on stores that no engine
// can open, and on stores that engines have open:
//
//   Verifier verifier({.repairs = true});
//   while (auto wanted = verifier.Next()) {
//     // Read it in one snapshot, then call Supply().
//   }
//   // findings(), ToJson(), TakeRecovered().
//
// Memory holds a few pages at a time and the log, which is short.  A repair
// also takes about a hundred bytes for each leaf page.

#ifndef ENTITABLE_VERIFY_H_
#define ENTITABLE_VERIFY_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "entitable/steps.h"
#include "entitable/storage.h"

namespace entitable {

struct VerifierOptions {
  // Whether to collect what TakeRecovered() needs.
  bool repairs = false;

  // The numbers of all pages, ascending, if the host can list them.  The
  // verifier needs them when the manifest or a directory page is lost.  Without
  // the list it tries all numbers in order, until a long row of numbers has no
  // page.
  std::optional<std::vector<std::uint64_t>> pages = std::nullopt;
};

enum class ValueKind : std::uint8_t {
  kCheckpoint,
  kRecord,
  kManifest,
  kDirectoryPage,
  kLeafPage,
  kPage,   // A page whose kind is unknown because it cannot be read.
  kIndex,  // An index whose pages are sound.
};

enum class Flaw : std::uint8_t {
  kMissing,
  kDamaged,    // Cut short, or not the bytes that were written.
  kNewer,      // Written by a newer version of this code.
  kMisplaced,  // Valid, but in the wrong place or out of order.
  kTwice,      // A page that two other pages name.
};

// A problem with one value, or with an index.  An index is kMissing if some of
// its entries are missing, and kMisplaced if it only has too many.  Indexes are
// compared if all values are sound.
struct Finding {
  ValueKey key;
  ValueKind kind;
  Flaw flaw;
  std::string message;

  // The key range of a page: no row of the page precedes `from` or follows
  // `to`, according to the pages that name it.  Sort keys; empty if unknown.
  std::string from = {};
  std::string to = {};

  // Whether entities may be missing, outdated, or present although deleted.
  // For a page, only entities in its key range are affected; for a log record
  // or the manifest, any entity may be.
  bool is_lossy = true;
};

class Verifier {
 public:
  explicit Verifier(VerifierOptions options);
  ~Verifier();
  Verifier(Verifier&&) noexcept;
  Verifier& operator=(Verifier&&) noexcept;

  // What to read next: keys, and perhaps log records, as in a Read.  Empty when
  // the whole store was checked.
  std::optional<Read> Next();

  // Supplies the values that Next() asked for.
  void Supply(Snapshot snapshot);

  // The functions below are valid after Next() returned nothing.

  const std::vector<Finding>& findings() const;

  // docs/internals/frames.md, "Report of verification".
  std::string ToJson() const;

  // The recovered store: these values replace all values of the store except
  // its pages.  The result is complete and only meant for reading.  A table
  // whose name is lost gets a new name.
  std::vector<Put> TakeRecovered();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace entitable

#endif  // ENTITABLE_VERIFY_H_
