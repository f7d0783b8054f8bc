// schema.h - the schema of a table: which properties its entities have, and
// rules for their values.  The service has no schemas.
//
// docs/internals/file-format.md, "Schemas", has the grammar.  Rules have the
// names and the meaning of JSON Schema 2020-12.

#ifndef ENTITABLE_MODEL_SCHEMA_H_
#define ENTITABLE_MODEL_SCHEMA_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "entitable/result.h"
#include "model/entity.h"
#include "model/entity_key.h"
#include "model/report.h"

namespace entitable {

inline constexpr char kNoSchemaText[] = "The schema cannot be read.";

// Holding one proves that the bytes follow the grammar.
class Schema {
 public:
  // Fails with InvalidInput; the bytes may be anything.
  static Result<Schema> Parse(std::string_view bytes);

  const std::string& bytes() const { return bytes_; }

  // Whether a write must look at the row that it overwrites.
  bool looks_for_version() const;

  // Fails with SchemaVersionTooNew if a row, the bytes of a PropertyList, has a
  // later version than the schema knows.
  Result<void> CheckVersion(std::string_view stored) const;

  // Reports every violation, in the order of the schema, and then unknown
  // properties.  Properties of earlier violations are not checked.  The work is
  // proportional to the size of the schema and of the entity.
  // `properties`: the bytes of a PropertyList.
  void Check(EntityKeyView key, std::string_view properties,
             std::span<const Violation> earlier, Report& report) const;

 private:
  explicit Schema(std::string_view bytes) : bytes_(bytes) {}

  std::string bytes_;
};

// The schemas that a write must keep: that of the request, and that of the
// table.
class Schemas {
 public:
  Schemas() = default;

  // `stored`: as in the row of the table; empty if the table has none.  The
  // request's schema must outlive this object.
  Schemas(const std::optional<Schema>& given, std::string_view stored);

  bool are_empty() const { return given_ == nullptr && !stored_; }

  // Of both schemas.  Each check reads them all.
  std::size_t bytes() const {
    return (given_ != nullptr ? given_->bytes().size() : 0) +
           (stored_ && *stored_ ? (*stored_)->bytes().size() : 0);
  }

  // `properties`: the bytes of a PropertyList.  Fails with SchemaViolation and
  // every violation; with StorageVersionNewer or StorageDamaged if the schema
  // of the table cannot be read.
  Result<void> Check(EntityKeyView key, std::string_view properties) const;

  // As Schema::CheckVersion(), of the request's schema.
  Result<void> CheckVersion(std::string_view stored) const {
    return given_ == nullptr ? Result<void>() : given_->CheckVersion(stored);
  }

 private:
  const Schema* given_ = nullptr;
  std::optional<Result<Schema>> stored_;
};

}  // namespace entitable

#endif  // ENTITABLE_MODEL_SCHEMA_H_
