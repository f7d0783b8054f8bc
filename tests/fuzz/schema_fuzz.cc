// Any bytes as a schema, and any list of properties: the schema is refused, or
// every property of the list can be checked.  The first two bytes say how many
// bytes the schema has.

#include <cstddef>
#include <string>
#include <string_view>

#include "base/coding.h"
#include "fuzz/expect.h"
#include "model/entity.h"
#include "model/schema.h"

namespace entitable {

void Test(std::string_view input) {
  Decoder rest(input);
  const std::size_t low = rest.ReadU8();
  const std::string_view bytes = rest.ReadBytes(low + 256U * rest.ReadU8());
  if (rest.failed()) return;
  const auto schema = Schema::Parse(bytes);
  if (!schema) return;
  Expect(schema->bytes() == bytes, "a schema keeps its bytes");

  const auto list = PropertyList::FromBytes(rest.rest());
  const std::string_view properties = list ? list->bytes() : std::string_view();
  Report report(kMaxViolations);
  schema->Check({"p", "r"}, properties, {}, report);
  for (const Violation& violation : report.violations()) {
    Expect(violation.code == ErrorCode::kSchemaViolation && violation.path,
           "a violation names its property");
  }
  Report again(kMaxViolations);
  schema->Check({"p", "r"}, properties, report.violations(), again);
  for (const Violation& violation : again.violations()) {
    for (const Violation& earlier : report.violations()) {
      Expect(violation.path != earlier.path, "none is reported twice");
    }
  }
  std::string json;
  AppendJson(report.violations(), json);
  ExpectJson(json);
}

}  // namespace entitable
