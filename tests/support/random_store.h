// random_store.h - stores with all that a store may hold.

#ifndef ENTITABLE_TESTS_SUPPORT_RANDOM_STORE_H_
#define ENTITABLE_TESTS_SUPPORT_RANDOM_STORE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {

// Small pages, and constant flushes and compactions.
inline constexpr StoreLimits kRandomStoreLimits{
    .flush_bytes = std::size_t{1} << 20,
    .flush_records = 6,
    .page_bytes = 400,
    .step_pages = 2,
    .import_bytes = 600};

// A store between two commits: flushes and compactions in progress, unflushed
// records, tombstones, dropped and bulk-loaded tables.
class RandomStore {
 public:
  explicit RandomStore(std::uint64_t seed) : random_(seed) {
    host_.set_clock(MemoryHost::kSomeTime);
    for (std::size_t n = 20 + Below(100); n > 0; --n) Change();
    // Stops somewhere in the middle of what comes after the last of them.
    const RequestId last =
        host_.Submit(Insert(SomeTable(), EntityBody("p", "last", Members())));
    static_cast<void>(last);
    std::vector<MemoryStorage> moments;
    for (Step wish = host_.NextWish(); !std::holds_alternative<Idle>(wish);
         wish = host_.NextWish()) {
      if (const auto* read = std::get_if<Read>(&wish)) {
        host_.Fulfil(*read);
      } else if (const auto* commit = std::get_if<Commit>(&wish)) {
        host_.Fulfil(*commit);
        moments.push_back(host_.storage());
      }
    }
    storage_ =
        moments.empty() ? host_.storage() : moments[Below(moments.size())];
  }

  const MemoryStorage& storage() const { return storage_; }

 private:
  std::size_t Below(std::size_t end) { return random_() % end; }

  std::string SomeTable() {
    if (tables_.empty()) return "None";
    return tables_[Below(tables_.size())];
  }

  std::string Members() {
    return "\"N\":" + std::to_string(Below(1000)) + ",\"T\":\"" +
           std::string(Below(60), 't') + "\"";
  }

  void Change() {
    host_.set_clock(host_.clock() + 1);
    const std::string row = std::to_string(Below(60));
    const std::size_t kind = Below(20);
    if (tables_.empty() || kind == 0) {
      tables_.push_back("Tab" + std::to_string(++made_));
      static_cast<void>(host_.Do(NewTable(tables_.back())));
    } else if (kind == 1 && tables_.size() > 1) {
      const auto at =
          tables_.begin() + static_cast<std::ptrdiff_t>(Below(tables_.size()));
      static_cast<void>(host_.Do(DropTable(*at)));
      tables_.erase(at);
    } else if (kind < 5) {
      static_cast<void>(host_.Do(Delete(SomeTable(), "p", row)));
    } else if (kind == 5) {
      std::string lines;
      for (std::size_t n = Below(30); n > 0; --n) {
        lines += EntityBody("p", std::to_string(Below(90)), Members()) + "\n";
      }
      static_cast<void>(host_.Do(Import(
          SomeTable(), lines,
          {.mode = ImportMode::kReplace, .begins = true, .ends = true})));
    } else {
      static_cast<void>(
          host_.Do(Replace(SomeTable(), "p", row, "{" + Members() + "}")));
    }
  }

  std::mt19937_64 random_;
  MemoryHost host_{std::make_shared<MemoryStorage>(), Profile::kDefault,
                   kRandomStoreLimits};
  std::vector<std::string> tables_;
  int made_ = 0;
  MemoryStorage storage_;
};

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_RANDOM_STORE_H_
