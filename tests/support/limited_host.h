// limited_host.h - a host with little memory, which measures how much memory
// the engine takes.

#ifndef ENTITABLE_TESTS_SUPPORT_LIMITED_HOST_H_
#define ENTITABLE_TESTS_SUPPORT_LIMITED_HOST_H_

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "entitable/engine.h"
#include "support/memory_storage.h"
#include "support/operations.h"

namespace entitable {

// The engine is made for EngineOptions::kLeastMemoryBytes.  It has less: a real
// heap loses some of its memory between blocks.  The storage takes none of it.
// One host at a time.
class LimitedHost {
 public:
  static constexpr std::size_t kLimit =
      EngineOptions::kLeastMemoryBytes / 4 * 3;

  explicit LimitedHost(std::shared_ptr<MemoryStorage> storage);
  ~LimitedHost() { Close(); }
  LimitedHost(const LimitedHost&) = delete;
  LimitedHost& operator=(const LimitedHost&) = delete;

  // Opens the store with another engine.
  void Restart();

  // Returns 0 if there is too little memory for the request.
  RequestId Submit(const OwnedOperation& operation);

  // For example "503 ServerBusy".  An outcome is returned once.
  std::string Do(const OwnedOperation& operation);
  std::string OutcomeOf(RequestId id);

  // Runs until the engine is idle.  An engine that repeats itself without
  // progress fails the test.
  void Run();

  // The same; then waits once for background work that is due.
  void Wait();

  // The same, until no background work is left.
  void Rest();

  void set_limit(std::size_t bytes);

  // The memory that the engine takes now, and the most that it has taken.
  std::size_t held() const;
  std::size_t most() const { return static_cast<std::size_t>(most_); }

  // The last answer that was no failure.
  const Response& last() const { return last_; }

 private:
  template <typename Work>
  void Call(Work work);

  void Close();
  bool Step();
  void Take(const Answer& answer);
  void Fulfil(const Read& read);
  void Fulfil(Commit& commit);

  std::shared_ptr<MemoryStorage> storage_;
  std::optional<Engine> engine_;
  std::map<RequestId, std::string> outcomes_;
  Response last_;
  double clock_ = 1'704'164'645'678;
  double wait_ms_ = 0;
  std::ptrdiff_t most_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_LIMITED_HOST_H_
