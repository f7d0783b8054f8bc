// memory_host.h - a host whose storage is a map in memory.
//
// It is also the example of embedding Entitable in a C++ program.  A host
// consists of a storage and a loop.  The storage keeps values under keys and
// stores a batch completely or not at all; here it is MemoryStorage.  The loop
// passes the engine's wishes to the storage and the outcomes back; here it is
// MemoryHost::Run().
//
//   MemoryHost host;
//   Result<Response> made = host.Do(NewTable("Pets"));
//
// The rest serves tests: a clock that does not run by itself, several hosts on
// one storage like tabs of a browser, and faults on request.

#ifndef ENTITABLE_TESTS_SUPPORT_MEMORY_HOST_H_
#define ENTITABLE_TESTS_SUPPORT_MEMORY_HOST_H_

#include <map>
#include <memory>

#include "entitable/engine.h"
#include "support/memory_storage.h"
#include "support/storage_faults.h"

namespace entitable {

class MemoryHost {
 public:
  // A time for tests, as unix milliseconds: 2024-01-02T03:04:05.678Z.
  static constexpr double kSomeTime = 1'704'164'645'678;

  // An engine on a storage of its own.
  MemoryHost();

  // An engine on a storage that others may have opened, too.
  explicit MemoryHost(std::shared_ptr<MemoryStorage> storage,
                      Profile profile = Profile::kDefault,
                      StoreLimits limits = {}, WorkLimits work = {});

  // Submits the operation and works until it is answered.
  Result<Response> Do(const Result<Operation>& operation);

  // The same in two steps, for requests that are to wait together.
  RequestId Submit(const Result<Operation>& operation);
  Result<Response> Await(RequestId request);

  // Works until the engine has nothing left to ask for.
  void Run();

  // For tests that interfere between two steps: keeps answers until Await(),
  // and returns the next Read or Commit without executing it; Idle if there is
  // none.
  Step NextWish();
  void Fulfil(const Read& read);
  void Fulfil(const Commit& commit);

  // Drops the engine with all that it knew, and opens another: a page reloaded.
  void Restart();

  void set_clock(double unix_milliseconds) { clock_ = unix_milliseconds; }
  double clock() const { return clock_; }
  Engine& engine() { return engine_; }
  StorageFaults& faults() { return faults_; }
  MemoryStorage& storage() { return *storage_; }
  const std::shared_ptr<MemoryStorage>& shared_storage() { return storage_; }

 private:
  std::shared_ptr<MemoryStorage> storage_;
  StorageFaults faults_;
  Profile profile_;
  StoreLimits limits_;
  WorkLimits work_;
  Engine engine_;
  double clock_ = kSomeTime;
  std::map<RequestId, Result<Response>> answers_;  // Not yet awaited.
};

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_MEMORY_HOST_H_
