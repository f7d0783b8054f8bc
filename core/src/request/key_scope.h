// key_scope.h - applies a KeyScope to the ranges of a table.
//
// Source: auth of the spec, 5.6, "Ranges".

#ifndef ENTITABLE_REQUEST_KEY_SCOPE_H_
#define ENTITABLE_REQUEST_KEY_SCOPE_H_

#include <optional>
#include <vector>

#include "entitable/operation.h"
#include "model/entity_key.h"

namespace entitable {

KeyRange RangeOf(const KeyScope& scope);

bool Contains(const KeyRange& range, const EntityKeyView& key);

// Without a scope, every key is in it.
bool IsInScope(const EntityKeyView& key, const std::optional<KeyScope>& scope);

// The parts of disjoint ranges that lie within `bounds`, in the same order.
std::vector<KeyRange> Within(const KeyRange& bounds,
                             std::vector<KeyRange> ranges);

}  // namespace entitable

#endif  // ENTITABLE_REQUEST_KEY_SCOPE_H_
