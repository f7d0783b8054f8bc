// type_census.h - the types under which a table stores its properties, and what
// they mean for the comparisons of a filter.

#ifndef ENTITABLE_QUERY_TYPE_CENSUS_H_
#define ENTITABLE_QUERY_TYPE_CENSUS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/key_table.h"
#include "model/value.h"
#include "query/compare_op.h"
#include "query/filter.h"

namespace entitable {

class TypeCensus {
 public:
  // Of a table without entities.  The keys and the timestamp have their types
  // already, because every entity has them.
  explicit TypeCensus(const Filter& filter);

  // The table stores a value of this type.  Beyond a thousand names, those that
  // the filter does not have are left out.
  void Add(std::string_view name, EdmType type);

  // Whether every comparison depends on the values that it is given, so that
  // more entities would tell nothing new.  False if there is no comparison.
  bool is_decided() const { return !comparisons_.empty() && undecided_ == 0; }

  // Appends the properties as an array: docs/internals/frames.md.
  void AppendJson(std::string& json) const;

 private:
  struct Comparison {
    bool operator==(const Comparison&) const = default;

    std::size_t name;
    CompareOp op;
    EdmType literal;
    bool by_value;         // As in FilterNode.
    bool depends = false;  // It compares with a type that is stored.
  };

  std::size_t NumberOf(std::string_view name);
  static bool AreCompared(const Comparison& comparison, EdmType stored);
  static void AppendComparison(const Comparison& comparison, std::string& json);

  KeyTable names_;
  // By name: a bit for each type that is stored, 1 << type.
  std::vector<std::uint32_t> types_;
  std::vector<Comparison> comparisons_;  // Without values, so each form once.
  std::size_t undecided_ = 0;            // How many do not depend on values.
};

}  // namespace entitable

#endif  // ENTITABLE_QUERY_TYPE_CENSUS_H_
