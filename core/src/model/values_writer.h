// values_writer.h - entities as the values of a host's own language: what takes
// the place of JSON at MetadataLevel::kValues.  docs/internals/frames.md has
// the grammar.

#ifndef ENTITABLE_MODEL_VALUES_WRITER_H_
#define ENTITABLE_MODEL_VALUES_WRITER_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/date_time.h"
#include "base/text_buffer.h"
#include "model/entity.h"
#include "model/entity_key.h"
#include "model/entity_writer.h"
#include "model/page_row.h"

namespace entitable {

class ValuesWriter {
 public:
  // Of the context only the projection counts, and it is the same for all.
  void Add(const PayloadContext& context, EntityKeyView key,
           const Entity& entity);

  // The same, of rows that one read meets: it writes out of the columns.
  void Add(const PayloadContext& context, EntityKeyView key,
           const PageRow& entity);

  std::size_t size() const { return numbers_.size() + texts_.size(); }

  // The values of all entities; nothing may be added then.
  std::string Finish();

 private:
  // A property that is written, and what holds its value.
  struct Member {
    EdmType type;
    std::string_view name;
    std::string_view packed;
    const Column* column;  // Null: it is packed.
  };
  struct Row;

  void ClearMembers(const PayloadContext& context);
  void AddMember(const PayloadContext& context, const Member& member);
  void DescribeSchema(const PayloadContext& context);
  void AddRow(const PayloadContext& context, EntityKeyView key,
              DateTime timestamp, const PageRow& place);

  std::string numbers_ = std::string(4, '\0');  // Behind room for their size.
  std::string texts_;

  // Of the last row.
  std::string schema_;
  std::string partition_key_;
  DateTime timestamp_{};

  // For rows of one shape in one page found out once.
  PageRow schema_of_;
  std::vector<Member> members_;
  std::vector<bool> present_;  // Which names of the projection they are.
  std::string next_schema_;
};

}  // namespace entitable

#endif  // ENTITABLE_MODEL_VALUES_WRITER_H_
