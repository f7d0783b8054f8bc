// verify.h - looks at a store value by value: what is wrong with it, and what
// can be saved.
//
// It does no I/O, as an Engine does none, and works on a store that no engine
// can open, or that engines have open:
//
//   Survey survey({.salvages = true});
//   while (auto wanted = survey.Next()) {
//     // Read it in one snapshot, then Supply().
//   }
//   // findings(), ToJson(), TakeRecovered().
//
// Memory holds a window of pages at a time, the log, which is short, and of a
// store that is salvaged about a hundred bytes a leaf page.

#ifndef ENTITABLE_VERIFY_H_
#define ENTITABLE_VERIFY_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "entitable/engine.h"
#include "entitable/page.h"

namespace entitable {

struct VerifierOptions {
  // Whether it gathers what TakeRecovered() needs.
  bool repairs = false;

  // The numbers of all pages, ascending, if the host can list them.  They are
  // needed where it is not known any more which pages there are.  Without them
  // all numbers are tried one after another, until there has been none for
  // long.
  std::optional<std::vector<std::uint64_t>> pages = std::nullopt;
};

enum class ValueKind : std::uint8_t {
  kCheckpoint,
  kRecord,
  kManifest,
  kDirectoryPage,
  kLeafPage,
  kPage,  // Of one kind or the other; nobody can tell.
};

enum class Flaw : std::uint8_t {
  kMissing,
  kDamaged,    // Cut short, or another than was written.
  kNewer,      // Written by a newer version of this code.
  kMisplaced,  // Whole, but not what should stand there, or out of order.
  kTwice,      // A page that stands in two places.
};

// What is wrong with one value.
struct Finding {
  ValueKey key;
  ValueKind kind;
  Flaw flaw;
  std::string message;

  // Of a page: no row of it comes before `from`, and none behind `to`, as the
  // pages above it tell; sort keys, empty where nobody can tell.
  std::string from = {};
  std::string to = {};

  // Entities of that range, or of a record or root any, may be missing, or be
  // in an older state than they should, or be there though deleted.
  bool is_lossy = true;
};

class Verifier {
 public:
  explicit Verifier(VerifierOptions options);
  ~Verifier();
  Verifier(Verifier&&) noexcept;
  Verifier& operator=(Verifier&&) noexcept;

  // What to read next: keys and perhaps records, as of a Read.  Nothing when
  // all was seen.
  std::optional<Read> Next();

  // What Next() asked for.
  void Supply(Snapshot snapshot);

  // All below: when Next() has said nothing.

  const std::vector<Finding>& findings() const;

  // docs/internals/frames.md, "Report of verification".
  std::string ToJson() const;

  // Values that go over those of the store, of which all but pages are to be
  // left out: then what can be read is a whole store, to be read only.  It has
  // a table under a name of our own for each one whose name is lost.
  std::vector<Put> TakeRecovered();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace entitable

#endif  // ENTITABLE_VERIFY_H_
