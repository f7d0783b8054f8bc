#include "request/operation_texts.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <variant>

#include "base/json_reader.h"
#include "base/utf.h"
#include "base/visit.h"

namespace entitable {
namespace {

constexpr std::size_t kLongText = std::size_t{64} * 1024;

class Totals {
 public:
  const OperationTexts& texts() const { return texts_; }

  void operator()(const GetTable& get) { Add(get.table); }
  void operator()(const QueryTables& query) {
    Add(query.options);
    Add(query.next_table_name);
  }
  void operator()(const GetEntity& get) {
    Add(get.entity);
    Add(get.select);
    Add(get.if_none_match);
  }
  void operator()(const QueryEntities& query) {
    Add(query.table);
    Add(query.options);
    Add(query.next_partition_key);
    Add(query.next_row_key);
  }
  void operator()(const QueryOrdered& query) {
    operator()(query.query);
    Add(query.order_by);
    Add(query.skip);
    Add(query.most);
  }
  void operator()(const SearchEntities& search) {
    operator()(search.query);
    Add(search.property);
    Add(search.text);
  }
  void operator()(const QueryGroups& query) {
    Add(query.table);
    Add(query.filter);
    Add(query.group_by);
    Add(query.aggregates);
  }
  void operator()(const CountEntities& count) {
    Add(count.table);
    Add(count.filter);
  }
  void operator()(const AwaitChanges& await) {
    Add(await.table);
    Add(await.filter);
  }
  void operator()(const GetPolicies& get) { Add(get.table); }
  void operator()(const GetServiceProperties& /*get*/) {}
  void operator()(const GetTableSchema& get) { Add(get.table); }

  void operator()(const CreateTable& create) { Add(create.body); }
  void operator()(const DeleteTable& drop) { Add(drop.table); }
  void operator()(const InsertEntity& insert) {
    Add(insert.table);
    Add(insert.body);
    AddBytes(insert.schema);
  }
  void operator()(const UpdateEntity& update) {
    Add(update.entity);
    Add(update.if_match);
    Add(update.merged);
    Add(update.body);
    AddBytes(update.schema);
  }
  void operator()(const DeleteEntity& remove) {
    Add(remove.entity);
    Add(remove.if_match);
  }
  void operator()(const TransactionPart& part) { Visit(*this, part); }
  void operator()(const SubmitTransaction& transaction) {
    AddBytes(transaction.schema);
    for (const TransactionPart& part : transaction.parts) {
      const OperationTexts texts = TextsOf(part);
      texts_.bytes += texts.bytes;
      texts_.parse_bytes = std::max(texts_.parse_bytes, texts.parse_bytes);
    }
  }
  void operator()(const SetPolicies& set) {
    Add(set.table);
    Add(set.lines);
  }
  void operator()(const SetServiceProperties& set) { Add(set.lines); }
  void operator()(const SetTableSchema& set) {
    Add(set.table);
    AddBytes(set.schema);
  }
  void operator()(const SetTableIndexes& set) {
    Add(set.table);
    Add(set.indexes);
  }
  void operator()(const SyncTable& sync) {
    Add(sync.table);
    Add(sync.arguments);
    AddBytes(sync.answer);
  }

 private:
  void Add(std::string_view text) {
    texts_.bytes += text.size();
    texts_.are_valid = texts_.are_valid && IsValidUtf8(text);
  }
  void Add(const std::optional<std::string_view>& text) {
    if (text) Add(*text);
  }
  void AddBytes(const std::optional<std::string_view>& bytes) {
    if (bytes) texts_.bytes += bytes->size();
  }
  void Add(const EntityAddress& address) {
    Add(address.table);
    Add(address.partition_key);
    Add(address.row_key);
  }
  void Add(const FeedOptions& options) {
    Add(options.filter);
    Add(options.select);
    Add(options.top);
  }
  void Add(const JsonText& body) {
    texts_.bytes += body.text.size();
    if (body.text.size() < kLongText) return;
    texts_.parse_bytes = JsonReader::MemoryFor(body.text);
  }

  OperationTexts texts_;
};

template <typename Variant>
OperationTexts TotalsOf(const Variant& operation) {
  Totals totals;
  Visit(totals, operation);
  return totals.texts();
}

}  // namespace

OperationTexts TextsOf(const ReadOperation& operation) {
  return TotalsOf(operation);
}

OperationTexts TextsOf(const WriteOperation& operation) {
  return TotalsOf(operation);
}

OperationTexts TextsOf(const TransactionPart& part) { return TotalsOf(part); }

}  // namespace entitable
