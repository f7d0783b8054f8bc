// grouping.h - which rows are pushed together.

#ifndef ENTITABLE_SYNC_GROUPING_H_
#define ENTITABLE_SYNC_GROUPING_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "model/limits.h"
#include "sync/state.h"

namespace entitable::sync {

// The limits of an entity group transaction.
struct GroupLimits {
  std::size_t rows = kMaxTransactionParts;
  std::size_t bytes = kMaxBodyBytes;
};

// About how many bytes a row takes in a request.
std::size_t RequestBytes(EntityKeyView key, const RowValue& value);

// The keys of both, each once.
std::vector<std::string> UnionOf(std::span<const std::string> a,
                                 std::span<const std::string> b);

// Whether a transaction that has rows of these open groups becomes one group
// with them.  Otherwise the groups are sealed, and the transaction is a group
// of its own that depends on them.
bool FitsTogether(std::span<const Group> open,
                  std::span<const std::string> row_keys, std::size_t bytes,
                  const GroupLimits& limits);

// How many of the groups, from the first on, share a request.  They are of one
// partition and ready to be sent.  At least one if there is any.
std::size_t CountTogether(std::span<const Group> ready,
                          const GroupLimits& limits);

}  // namespace entitable::sync

#endif  // ENTITABLE_SYNC_GROUPING_H_
