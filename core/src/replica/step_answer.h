// step_answer.h - the answer to a step of sync, as JSON.
//
// docs/internals/frames.md has the members.

#ifndef ENTITABLE_REPLICA_STEP_ANSWER_H_
#define ENTITABLE_REPLICA_STEP_ANSWER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/date_time.h"
#include "base/json_writer.h"
#include "model/entity_key.h"
#include "sync/state.h"
#include "sync/sync_rows.h"
#include "wire/entity_writer.h"

namespace entitable {

// Writes a JSON object, or the elements of an array in it.
//
// Members are written in the order of the calls, and each name once.
class JsonObject {
 public:
  void Text(std::string_view name, std::string_view text) {
    Name(name);
    AppendJsonString(text, json_);
  }
  void Number(std::string_view name, std::uint64_t number) {
    Name(name);
    AppendUnsigned(number, json_);
  }
  // As a text: JavaScript has no numbers of this size.
  void LongNumber(std::string_view name, std::uint64_t number) {
    std::string text;
    AppendUnsigned(number, text);
    Text(name, text);
  }
  void Time(std::string_view name, DateTime time) {
    LongNumber(name, static_cast<std::uint64_t>(time.ticks));
  }
  void Flag(std::string_view name, bool flag) {
    Name(name);
    json_ += flag ? "true" : "false";
  }
  // For arrays and objects that are JSON already.
  void Json(std::string_view name, std::string_view json) {
    Name(name);
    json_ += json;
  }
  void Row(std::string_view name, EntityKeyView key,
           const sync::RowValue& row) {
    Name(name);
    if (row) {
      AppendRequestEntity(key, *row, json_);
    } else {
      json_ += "null";
    }
  }
  void Key(EntityKeyView key) {
    Text("partitionKey", key.partition_key);
    Text("rowKey", key.row_key);
  }

  std::string Finish() && { return std::move(json_ += '}'); }

 private:
  void Name(std::string_view name) {
    json_ += json_.empty() ? '{' : ',';
    AppendJsonString(name, json_);
    json_ += ':';
  }

  std::string json_;
};

// `append` writes an element of the array.
template <typename Items, typename Append>
std::string JsonArray(const Items& items, Append append) {
  std::string json = "[";
  for (const auto& item : items) {
    if (json.size() > 1) json += ',';
    append(item, json);
  }
  return json += ']';
}

// Arrays of keys, each of them an array of two texts, and of texts.
std::string JsonKeys(const std::vector<EntityKey>& keys);
std::string JsonTexts(const std::vector<std::string>& texts);

// An array of rows that could not be stored, each with the reason.
std::string JsonRefused(const std::vector<sync::RefusedRow>& rows);

}  // namespace entitable

#endif  // ENTITABLE_REPLICA_STEP_ANSWER_H_
