// limits.h - the limits of the service, and ours.
//
// Sources, unless stated otherwise: data model of the spec, section 1.4;
// "Scalability and performance targets for Table storage".

#ifndef ENTITABLE_MODEL_LIMITS_H_
#define ENTITABLE_MODEL_LIMITS_H_

#include <cstddef>

namespace entitable {

inline constexpr std::size_t kMaxCustomProperties = 252;
inline constexpr std::size_t kMaxStringLength = 32'768;  // UTF-16 units
inline constexpr std::size_t kMaxBinaryBytes = 65'536;
// As computed by EntitySize().
inline constexpr std::size_t kMaxEntityBytes = 1'048'576;
inline constexpr std::size_t kMaxBodyBytes = 4'194'304;
inline constexpr std::size_t kMaxTransactionParts = 100;
inline constexpr std::size_t kMaxPageResults = 1'000;

// Ours: of the schema of a table.
inline constexpr std::size_t kMaxSchemaBytes = 65'536;

}  // namespace entitable

#endif  // ENTITABLE_MODEL_LIMITS_H_
