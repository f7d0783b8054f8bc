// sample_state.h - the rows of sample_runs.h in log records and in states.

#ifndef ENTITABLE_TESTS_SUPPORT_SAMPLE_STATE_H_
#define ENTITABLE_TESTS_SUPPORT_SAMPLE_STATE_H_

#include "store/account_state.h"
#include "store/log_record.h"
#include "support/memory_storage.h"
#include "support/sample_runs.h"

namespace entitable {

// The record that continues the state and puts, or deletes, these rows.
LogRecord RecordOf(const AccountState& state, const SampleRows& rows);

// As stored, read page by page, without those before the run's beginning.
SampleRows RowsIn(const Run& run, const MemoryStorage& storage);

// Those in memory and in the pages of the storage together, without tombstones.
SampleRows LiveRowsOf(const AccountState& state, const MemoryStorage& storage);

SampleRows LiveRows(SampleRows rows);

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_SAMPLE_STATE_H_
