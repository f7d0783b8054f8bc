// naive_filter.h - an independent implementation of $filter.
//
// It is written only from query and data-model, 1.5, of the spec, without any
// code of core/src/query: a recursive-descent parser, and an evaluator that
// walks the tree.  It is slow, recursive and simple.  Tests compare the engine
// with it.

#ifndef ENTITABLE_TESTS_SUPPORT_NAIVE_FILTER_H_
#define ENTITABLE_TESTS_SUPPORT_NAIVE_FILTER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace entitable::naive {

struct Value {
  enum class Type {
    kString,
    kInt32,
    kInt64,
    kDouble,
    kBoolean,
    kDateTime,
    kGuid,
    kBinary,
  };
  Type type = Type::kBoolean;
  std::int64_t integer = 0;  // Int32, Int64, Boolean, DateTime: ticks from 1601
  double real = 0;           // Double
  std::string text = {};     // String, Guid (canonical), Binary
};

// With PartitionKey, RowKey and Timestamp among its properties.
using Entity = std::map<std::string, Value>;

enum class Status { kOk = 200, kInvalid = 400, kNotImplemented = 501 };

struct Node;

class Filter {
 public:
  explicit Filter(std::string_view text);
  ~Filter();

  Status status() const { return status_; }

  // Only of a filter that is kOk.
  bool IsTrueOf(const Entity& entity) const;

 private:
  std::shared_ptr<const Node> root_;  // Null: the empty filter.
  Status status_ = Status::kOk;
};

// Less than zero, zero or more: by UTF-16 code units.
int CompareOrdinal(std::string_view a, std::string_view b);

}  // namespace entitable::naive

#endif  // ENTITABLE_TESTS_SUPPORT_NAIVE_FILTER_H_
