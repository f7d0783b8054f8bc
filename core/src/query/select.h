// select.h - which properties of an entity a query answers with.

#ifndef ENTITABLE_QUERY_SELECT_H_
#define ENTITABLE_QUERY_SELECT_H_

#include <cstddef>
#include <string_view>

#include "base/key_table.h"
#include "entitable/result.h"

namespace entitable {

// Repeated names included.  Source: query.md of the spec, 3.7.
inline constexpr std::size_t kMaxSelectedNames = 255;

class Select {
 public:
  // All properties.
  Select() = default;

  // Reads the value of $select, percent-decoded: names with commas between them
  // and blanks around them.  Blank text or a lone `*` selects all.  Fails with
  // InvalidInput: a text that is no name, or too many.
  static Result<Select> Parse(std::string_view text);

  bool is_all() const { return names_.size() == 0; }

  // In the order of the request, each once; empty when all are selected.
  const KeyTable& names() const { return names_; }

 private:
  KeyTable names_;
};

}  // namespace entitable

#endif  // ENTITABLE_QUERY_SELECT_H_
