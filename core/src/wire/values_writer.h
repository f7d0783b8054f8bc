// values_writer.h - writes entities as values that the host's language can read
// directly, instead of JSON, at WireFormat::kValues.
// docs/internals/frames.md has the grammar.

#ifndef ENTITABLE_WIRE_VALUES_WRITER_H_
#define ENTITABLE_WIRE_VALUES_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/date_time.h"
#include "base/text_buffer.h"
#include "model/entity.h"
#include "model/entity_key.h"
#include "model/page_row.h"
#include "wire/entity_writer.h"

namespace entitable {

class ValuesWriter {
 public:
  ValuesWriter() { Clear(); }

  // Begins anew, but keeps the memory.
  void Clear();

  // Uses only the projection of the context, which must be the same for all
  // entities.
  void Add(const PayloadContext& context, EntityKeyView key,
           const EntityView& entity);

  // The same for a row of a page: it reads the columns directly.
  void Add(const PayloadContext& context, EntityKeyView key,
           const PageRow& entity);

  std::size_t size() const { return numbers_.size() + texts_.size(); }

  // Returns the values of all entities, and begins anew.
  std::string Finish();

 private:
  // A property to write, and the column that has its value.
  struct Member {
    EdmType type;
    std::string_view name;
    std::string_view packed;
    const Column* column;  // Null: the value is packed.
    // The place of the row's value in the column; Touch() sets it.
    std::size_t index = 0;
  };

  // --- Parts of a row

  void PutText(std::string_view text);
  void PutEtag(std::string_view time);
  void PutBinary(std::string_view bytes);
  void PutDateTime(DateTime time);
  void PutDouble(double value);
  void PutValue(EdmType type, std::string_view packed);
  void PutColumn(const Column& column, std::size_t i);

  // --- Rows

  void ClearMembers(const PayloadContext& context);
  void AddMember(const PayloadContext& context, const Member& member);
  void DescribeSchema(const PayloadContext& context);
  void Touch(const PageRow& entity);
  void AddRow(const PayloadContext& context, EntityKeyView key,
              DateTime timestamp, const PageRow& place);

  std::string number_bytes_;
  std::string text_bytes_;
  TextBuffer numbers_{number_bytes_};
  TextBuffer texts_{text_bytes_};

  // Of the last row.
  std::string schema_;
  std::string partition_key_;
  DateTime timestamp_{};

  // The last row of a page.  Consecutive rows of a page with the same schema
  // share the work on it.
  PageRow schema_of_;
  std::vector<Member> members_;
  std::vector<bool> present_;  // Which names of the projection the row has.
  std::string next_schema_;

  // Never read.  Without it, the compiler would drop the loads of Touch().
  std::uint64_t touched_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_WIRE_VALUES_WRITER_H_
