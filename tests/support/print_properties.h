// print_properties.h - properties and changes as text that a test can compare.

#ifndef ENTITABLE_TESTS_SUPPORT_PRINT_PROPERTIES_H_
#define ENTITABLE_TESTS_SUPPORT_PRINT_PROPERTIES_H_

#include <string>

#include "model/entity.h"
#include "store/change.h"

namespace entitable {

// "A:Edm.Int32=1 B:Edm.String=x": without quotes and escapes, so that nothing
// of the product's own JSON takes part.  Doubles have 17 digits, Binaries hex.
std::string Print(const Value& value);
std::string Print(const PropertyList& properties);

// "put 1 (p,r) @638397614460000000 A:Edm.Int32=1".
std::string Print(const Change& change);

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_PRINT_PROPERTIES_H_
