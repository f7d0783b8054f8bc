// select.h - the properties that a query returns ($select).

#ifndef ENTITABLE_READ_SELECT_H_
#define ENTITABLE_READ_SELECT_H_

#include <cstddef>
#include <string_view>

#include "base/key_table.h"
#include "entitable/result.h"

namespace entitable {

// Repeated names count, too.  Source: query of the spec, 3.7.
inline constexpr std::size_t kMaxSelectedNames = 255;

class Select {
 public:
  // Selects all properties.
  Select() = default;

  // Reads the value of $select, percent-decoded: names separated by commas,
  // with optional blanks.  Blank text or a single `*` selects all.  Fails with
  // InvalidInput if a name is invalid or there are too many.
  static Result<Select> Parse(std::string_view text);

  bool is_all() const { return names_.size() == 0; }

  // In the order of the request, without duplicates; empty if all are selected.
  const KeyTable& names() const { return names_; }

 private:
  KeyTable names_;
};

}  // namespace entitable

#endif  // ENTITABLE_READ_SELECT_H_
