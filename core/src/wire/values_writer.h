// values_writer.h - writes entities as values that the host's language can read
// directly, instead of JSON, at WireFormat::kValues.
// docs/internals/frames.md has the grammar.

#ifndef ENTITABLE_WIRE_VALUES_WRITER_H_
#define ENTITABLE_WIRE_VALUES_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/date_time.h"
#include "model/column_source.h"
#include "model/entity.h"
#include "model/entity_key.h"
#include "wire/entity_writer.h"
#include "wire/value_buffer.h"

namespace entitable {

class ValuesWriter {
 public:
  // Not inline: a writer has many members, so their code is long.
  ValuesWriter();
  ~ValuesWriter();

  // Begins anew, but keeps the memory.
  void Clear();

  // Use only the projection of the context, which must be the same for all rows
  // of a page.
  void Add(const PayloadContext& context, EntityKeyView key,
           const EntityView& entity);
  void Add(const PayloadContext& context, EntityKeyView key,
           const PageRow& entity);

  // For many rows of a page: blocks are written and read column by column.  The
  // rows of a block are of one table, and in their order.  The page must stay
  // until EndBlock().
  void AddToBlock(const PayloadContext& context, EntityKeyView key,
                  const PageRow& entity);
  void EndBlock();

  // How many bytes are written, without the block that has not ended.
  std::size_t size() const { return values_.size(); }

  // An upper bound for the texts of that block that its page has only once.
  // All else of it takes about as many bytes as in the page.
  std::size_t bytes_of_block() const { return rows_.size() * shared_bytes_; }

  // Returns the values of all entities, and begins anew.
  std::string Finish();

 private:
  // A property to write, and the column that has its values.
  struct Member {
    EdmType type;
    std::string_view name;
    std::string_view packed;
    const Column* column;  // Null: the value is packed.
    // If the block has one row: the place of its value in the column.
    std::uint32_t place = 0;
  };

  // Of a row of the block.  The keys lie one after another.
  struct Header {
    std::size_t keys_at;
    std::size_t partition_key_bytes;
    std::size_t row_key_bytes;
    DateTime timestamp;

    std::string_view partition_key(std::string_view keys) const {
      return keys.substr(keys_at, partition_key_bytes);
    }
    std::string_view row_key(std::string_view keys) const {
      return keys.substr(keys_at + partition_key_bytes, row_key_bytes);
    }
  };

  void BeginMembers(const PayloadContext& context);
  void AddMember(const PayloadContext& context, const Member& member);
  void DescribeSchema(const PayloadContext& context);
  void AddHeader(EntityKeyView key, DateTime timestamp);

  void PutSchema();
  void PutEtags(bool has_row_before);
  void PutPartitionKeys(bool has_row_before);
  void PutRowKeys();
  void PutTimestamps();
  std::span<const Header> BeginColumn(bool have_all_one_value);
  void Touch();
  std::span<const std::uint32_t> PlacesOf(const Member& member);

  ValueBuffer values_;

  // Of the last row that is written.
  std::string schema_;
  std::string partition_key_;
  DateTime timestamp_{};

  // The block.  All its rows have the same members.
  std::vector<Member> members_;
  std::size_t shared_bytes_ = 0;  // Of the texts in their dictionaries.
  std::vector<Header> headers_;
  std::string key_bytes_;
  PageRow schema_of_;                // The last row, if it is of a page.
  std::vector<std::uint32_t> rows_;  // In the page.
  std::string next_schema_;
  bool has_new_schema_ = false;
  bool has_partition_key_ = false;
  bool has_row_key_ = false;
  bool has_timestamp_ = false;

  std::vector<bool> present_;  // Which names of the projection the row has.
  std::vector<std::uint32_t> places_;
  // Made by PutEtags() for PutTimestamps().  Empty: that of the row before.
  std::vector<DateTimeText> times_;

  // Never read.  Without it, the compiler would drop the loads of Touch().
  std::uint64_t touched_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_WIRE_VALUES_WRITER_H_
