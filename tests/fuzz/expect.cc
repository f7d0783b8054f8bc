#include "fuzz/expect.h"

#include <simdjson.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {

void Expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

void ExpectDamaged(const Error& error) {
  Expect(error.code == ErrorCode::kStorageDamaged ||
             error.code == ErrorCode::kStorageVersionNewer,
         "it is damaged");
}

void ExpectJson(std::string_view text) {
  static simdjson::dom::parser parser;
  Expect(std::ranges::all_of(
             text, [](char c) { return static_cast<unsigned char>(c) < 0x80; }),
         "JSON that is sent is ASCII");
  Expect(
      parser.parse(simdjson::padded_string(text)).error() == simdjson::SUCCESS,
      "a body is JSON");
}

void Prepare(MemoryHost& host) {
  Expect(host.Do(NewTable("Pets")).has_value(), "there is a table");
  for (const char* row : {"n", "r"}) {
    const auto made =
        host.Do(Insert("Pets", EntityBody("p", row, R"("A":1,"B":"b")")));
    Expect(made.has_value(), "there are entities");
  }
}

}  // namespace entitable
