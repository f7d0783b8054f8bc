// type_annotations.h - the type annotations of a request body.

#ifndef ENTITABLE_MODEL_TYPE_ANNOTATIONS_H_
#define ENTITABLE_MODEL_TYPE_ANNOTATIONS_H_

#include <array>
#include <cstddef>
#include <string_view>

#include "base/hash_order.h"
#include "base/json_reader.h"
#include "model/member_names.h"
#include "model/report.h"

namespace entitable {

// Finds an annotation by the property that it belongs to.
class TypeAnnotations {
 public:
  // Reports PropertyNameInvalid if an annotation names no property.
  // Returns whether further checks should run.  The members must outlive the
  // annotations.
  bool Read(const Members& members, Report& report);

  // Null: the property has no annotation.
  const JsonMember* Find(std::string_view property) const;

 private:
  // Up to this many annotations are searched one by one for each property.
  static constexpr std::size_t kFew = 8;

  struct Annotated {
    std::string_view property;
    const JsonMember* member = nullptr;
  };

  void Sort();
  const JsonMember* FindSorted(std::string_view property) const;

  Members members_;
  std::size_t count_ = 0;
  std::array<Annotated, kFew> few_ = {};  // The first ones.
  HashOrder order_;  // Of all members, by property, if there are more.
};

}  // namespace entitable

#endif  // ENTITABLE_MODEL_TYPE_ANNOTATIONS_H_
