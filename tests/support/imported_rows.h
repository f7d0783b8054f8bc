// imported_rows.h - rows to import, what is stored of them, and a host to
// import them into.

#ifndef ENTITABLE_TESTS_SUPPORT_IMPORTED_ROWS_H_
#define ENTITABLE_TESTS_SUPPORT_IMPORTED_ROWS_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {

// A page for every two or three entities, a step for every four or so.
inline constexpr StoreLimits kTiny{.flush_bytes = std::size_t{1} << 20,
                                   .flush_records = 6,
                                   .page_bytes = 300,
                                   .step_pages = 3,
                                   .import_bytes = 400};

// The value that an entity has under each name.
using Members = std::map<std::string, int>;

struct ImportedRow {
  std::string row_key;
  Members members;
};
using Rows = std::vector<ImportedRow>;

inline std::string JsonOf(const ImportedRow& row) {
  std::string members;
  for (const auto& [name, value] : row.members) {
    if (!members.empty()) members += ',';
    members += '"' + name + "\":" + std::to_string(value);
  }
  return EntityBody("p", row.row_key, members);
}

inline std::string LinesOf(const Rows& rows) {
  std::string lines;
  for (const ImportedRow& row : rows) lines += JsonOf(row) + "\n";
  return lines;
}

inline std::string ArrayOf(const Rows& rows) {
  std::string array = "[";
  for (const ImportedRow& row : rows) {
    if (array.size() > 1) array += ", ";
    array += JsonOf(row);
  }
  return array + "]";
}

// "k00", "k01" and so on, each with its own number under "N".
inline Rows Numbered(int first, int count) {
  Rows rows;
  for (int i = first; i < first + count; ++i) {
    std::string number = std::to_string(i);
    if (number.size() < 2) number.insert(0, "0");
    rows.push_back({"k" + number, {{"N", i}}});
  }
  return rows;
}

// What is stored, by RowKey, read by an engine that is made only for this.
using State = std::map<std::string, Members>;

inline State StateOf(const std::shared_ptr<MemoryStorage>& storage) {
  MemoryHost reader(storage);
  State state;
  OwnedOperation query = Query("Tab", {.level = MetadataLevel::kNone});
  for (;;) {
    const auto page = reader.Do(query);
    if (!page) {
      ADD_FAILURE() << Outcome(page);
      return {};
    }
    const std::string& body = page->body;
    const std::string kStart = "{\"PartitionKey\":\"p\",\"RowKey\":\"";
    for (std::size_t at = body.find(kStart); at != std::string::npos;
         at = body.find(kStart, at)) {
      at += kStart.size();
      Members& members = state[body.substr(at, body.find('"', at) - at)];
      const std::size_t end = body.find('}', at);
      at = body.find("\"Timestamp\":\"", at) + 13;
      at = body.find('"', at) + 1;
      while (at < end) {  // ,"N":1
        const std::size_t name = at + 2;
        const std::size_t name_end = body.find('"', name);
        const std::size_t value_end = body.find_first_of(",}", name_end);
        members[body.substr(name, name_end - name)] =
            std::stoi(body.substr(name_end + 2, value_end - name_end - 2));
        at = value_end;
      }
    }
    if (!page->next_partition_key) return state;
    query.with.next_partition_key = page->next_partition_key;
    query.with.next_row_key = page->next_row_key;
  }
}

// The model: what the first `count` entities make of the state.
inline State After(State state, const Rows& rows, std::size_t count,
                   ImportMode mode) {
  for (std::size_t i = 0; i < count; ++i) {
    Members& members = state[rows[i].row_key];
    if (mode != ImportMode::kMerge) members.clear();
    for (const auto& [name, value] : rows[i].members) members[name] = value;
  }
  return state;
}

// Which entity an insert fails at, if any does.
inline std::optional<std::size_t> FirstThatExists(State state,
                                                  const Rows& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!state.emplace(rows[i].row_key, Members()).second) return i;
  }
  return std::nullopt;
}

class ImportTest : public testing::Test {
 protected:
  void SetUp() override { Given(host_, NewTable("Tab")); }

  static void Given(MemoryHost& host, const OwnedOperation& operation) {
    const auto answer = host.Do(operation);
    ASSERT_TRUE(answer.has_value()) << Outcome(answer);
  }

  // Hands the input in, a few bytes at a time; the outcome of the part that
  // was answered last.
  static Result<Response> ImportInParts(MemoryHost& host,
                                        const std::string& input,
                                        std::size_t part_size,
                                        ImportMode mode) {
    ImportPart part{.import = 7, .mode = mode, .begins = true};
    for (std::size_t at = 0;; at += part_size) {
      part.ends = at + part_size >= input.size();
      auto answer = host.Do(Import("Tab", input.substr(at, part_size), part));
      if (part.ends || !answer) return answer;
      part.begins = false;
    }
  }

  std::string DoImport(const std::string& input,
                       ImportMode mode = ImportMode::kInsert,
                       std::size_t part_size = 64) {
    const auto answer = ImportInParts(host_, input, part_size, mode);
    return answer ? answer->body : Outcome(answer);
  }

  State Stored() { return StateOf(host_.shared_storage()); }

  std::shared_ptr<MemoryStorage> storage_ = std::make_shared<MemoryStorage>();
  MemoryHost host_{storage_, Profile::kDefault, kTiny};
};

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_IMPORTED_ROWS_H_
