// sample_account.h - an account with rows of sample_runs.h in pages and in
// memory.

#ifndef ENTITABLE_TESTS_SUPPORT_SAMPLE_ACCOUNT_H_
#define ENTITABLE_TESTS_SUPPORT_SAMPLE_ACCOUNT_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "support/sample_state.h"

namespace entitable {

class SampleAccount {
 public:
  explicit SampleAccount(SampleRuns runs) : runs_(std::move(runs)) {
    state_ = *AccountState::Open(EncodeCheckpoint({}),
                                 EncodeManifest(runs_.manifest()));
  }

  void Write(const SampleRows& rows) {
    const LogRecord record = RecordOf(*state_, rows);
    ASSERT_TRUE(state_->Apply(record, Share(EncodeLogRecord(record))));
    for (const auto& [key, number] : rows) memory_[key] = number;
  }

  // What is in memory becomes the newest run.
  void Flush(std::size_t page_bytes) {
    if (memory_.empty()) return;
    runs_.Add(std::exchange(memory_, {}), page_bytes);
    Manifest manifest = runs_.manifest();
    manifest.number = state_->head();
    manifest.crc = state_->head_crc();
    ASSERT_TRUE(
        state_->InstallManifest(EncodeManifest(manifest), state_->progress()));
  }

  // The newest rows.
  SampleRows Rows() const {
    std::vector<SampleRows> all = runs_.rows();
    all.insert(all.begin(), memory_);
    return NewestOf(all);
  }

  const SampleRuns& runs() const { return runs_; }
  const AccountState& state() const { return *state_; }

 private:
  SampleRuns runs_;
  SampleRows memory_;
  std::unique_ptr<AccountState> state_;
};

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_SAMPLE_ACCOUNT_H_
