// values_reader.h - answers with values, told a second time: from the grammar
// in docs/internals/frames.md.

#ifndef ENTITABLE_TESTS_SUPPORT_VALUES_READER_H_
#define ENTITABLE_TESTS_SUPPORT_VALUES_READER_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace entitable {

// The members of an entity by name: system properties, Strings and Guids as
// text, Int32 in decimal, anything else as its bytes.
using ValuesRow = std::map<std::string, std::string>;

std::vector<ValuesRow> ReadValues(std::string_view body);

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_VALUES_READER_H_
