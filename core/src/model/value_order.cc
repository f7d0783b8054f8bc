#include "model/value_order.h"

#include "base/utf.h"

namespace entitable {

// Doubles have NaN, so the order is a partial one; all other types have a total
// order.  It is the one of the service: texts by UTF-16 units, GUIDs by their
// texts.
std::partial_ordering OrderOfOneType(const Value& a, const Value& b) {
  switch (a.type()) {
    case EdmType::kString:
      return CompareUtf16(a.string(), b.string());
    case EdmType::kInt32:
      return a.int32() <=> b.int32();
    case EdmType::kInt64:
      return a.int64() <=> b.int64();
    case EdmType::kDouble:
      return a.real() <=> b.real();
    case EdmType::kBoolean:
      return a.boolean() <=> b.boolean();
    case EdmType::kDateTime:
      return a.date_time() <=> b.date_time();
    case EdmType::kGuid:
      return a.guid() <=> b.guid();
    case EdmType::kBinary:
      return a.binary() <=> b.binary();  // Compares unsigned bytes.
  }
  return std::partial_ordering::unordered;
}

}  // namespace entitable
