// type_annotations.h - the type annotations of a request body.

#ifndef ENTITABLE_MODEL_TYPE_ANNOTATIONS_H_
#define ENTITABLE_MODEL_TYPE_ANNOTATIONS_H_

#include <string_view>

#include "base/hash_index.h"
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
  Members members_;
  HashOrder order_;  // Of all members, by property; empty if no type is given.
};

}  // namespace entitable

#endif  // ENTITABLE_MODEL_TYPE_ANNOTATIONS_H_
