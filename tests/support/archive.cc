#include "support/archive.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "support/operations.h"

namespace entitable {
namespace {

// All pages of a list, as lines.
Result<std::string> LinesOf(MemoryHost& host, OwnedOperation list) {
  list.with.format = WireFormat::kLines;
  std::string lines;
  for (;;) {
    ENTITABLE_TRY(const Response page, host.Do(list));
    lines += page.body;
    if (!page.next_partition_key && !page.next_table_name) return lines;
    list.with.next_partition_key = page.next_partition_key;
    list.with.next_row_key = page.next_row_key;
    list.with.next_table_name = page.next_table_name;
  }
}

}  // namespace

Result<std::string> ExportAll(MemoryHost& host) {
  std::string archive = "{\"entitable\":\"archive\",\"version\":1}\n";
  ENTITABLE_TRY(const std::string settings,
                LinesOf(host, {OperationKind::kGetServiceProperties}));
  archive += settings;
  ENTITABLE_TRY(const std::string tables, LinesOf(host, ListTables()));
  const std::vector<std::string> names = TextsOf("TableName", tables);
  std::size_t entities = 0;
  for (std::size_t i = 0, at = 0; i < names.size(); ++i) {
    // Up to the next table: its own line, and its policies.
    const std::size_t end =
        std::min(tables.find("{\"TableName\"", at + 1), tables.size());
    ENTITABLE_TRY(const std::string lines, LinesOf(host, Query(names[i])));
    archive.append(tables, at, end - at).append(lines);
    at = end;
    entities +=
        static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n'));
  }
  return archive + "{\"tables\":" + std::to_string(names.size()) +
         ",\"entities\":" + std::to_string(entities) + "}\n";
}

Result<Response> ImportAll(MemoryHost& host, const std::string& archive,
                           std::size_t part_size) {
  ImportPart part{.import = 1, .mode = ImportMode::kRestore, .begins = true};
  for (std::size_t at = 0;; at += part_size) {
    part.ends = at + part_size >= archive.size();
    auto answer = host.Do(Import("", archive.substr(at, part_size), part));
    if (part.ends || !answer) return answer;
    part.begins = false;
  }
}

}  // namespace entitable
