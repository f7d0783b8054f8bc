// values_writer.h - entities as the values of a host's own language: what takes
// the place of JSON at MetadataLevel::kValues.  ARCHITECTURE.md, section
// "Frames", has the grammar.

#ifndef ENTITABLE_MODEL_VALUES_WRITER_H_
#define ENTITABLE_MODEL_VALUES_WRITER_H_

#include <cstddef>
#include <string>

#include "base/date_time.h"
#include "base/text_buffer.h"
#include "model/entity.h"
#include "model/entity_key.h"
#include "model/entity_writer.h"

namespace entitable {

class ValuesWriter {
 public:
  // Of the context only the projection counts.
  void Add(const PayloadContext& context, EntityKeyView key,
           const Entity& entity);

  std::size_t size() const { return numbers_.size() + texts_.size(); }

  // The values of all entities; nothing may be added then.
  std::string Finish();

 private:
  void DescribeShape(const PayloadContext& context, EntityKeyView key,
                     const Entity& entity);

  std::string numbers_ = std::string(4, '\0');  // Behind room for their size.
  std::string texts_;

  // Of the last row.
  std::string shape_;
  std::string partition_key_;
  DateTime timestamp_{};

  std::string next_shape_;
};

}  // namespace entitable

#endif  // ENTITABLE_MODEL_VALUES_WRITER_H_
