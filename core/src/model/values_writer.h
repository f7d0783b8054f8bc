// values_writer.h - entities as the values of a host's own language: what takes
// the place of JSON at MetadataLevel::kValues.
//
//   values  = numbers_bytes:u32 numbers texts
//   numbers = { row }           row = units:u32 { member }
//
// All text stands in one UTF-8 run, so that a host decodes it by one call, and
// the numbers say how many UTF-16 units of it are next.  `units` of a row are
// those of its shape, 0 when it has that of the row before.  A shape is a list
// of members with points between them, which no name has: a digit, and the name
// that the member has in the API.
//
//   0  etag, keys, timestamp  units:u32 text, ffffffff: that of the row before
//   1  String                 units:u32 text
//   2  Int32                  u32
//   3  Int64                  u64
//   4  Double                 u64, its bits
//   5  Boolean                u8
//   6  DateTime               f64, milliseconds since 1970; NaN when it is not
//                             a whole number of them, and then units:u32 text
//   7  Guid                   units:u32 text
//   8  Binary                 length:u32 bytes
//   9  selected, not there    nothing

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
