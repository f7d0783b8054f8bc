// How the input of an import becomes steps.
//
//   JSON     entities one after another, cut into parts anywhere
//   values   { form:u8 length:u32 entity }, and a part ends with an entity
//   archive  lines: head, settings, then for each table its line, its settings
//            and its entities, and at the end how many of both there were
//
// A line of an archive is told apart by how it begins.  Settings are collected
// until another line follows, since all of those of one table are read
// together.  The table is made by the step that has its first entities, so a
// table without any is a step, too.

#include "load/import.h"

#include <utility>

#include "base/coding.h"
#include "base/error_text.h"
#include "base/http_status.h"
#include "base/json_writer.h"
#include "model/limits.h"
#include "model/names.h"
#include "model/report.h"
#include "model/settings.h"

namespace entitable {
namespace {

// The byte before an entity in a part with values; 0 precedes JSON.
constexpr std::uint8_t kPackedForm = 1;
// docs/internals/file-format.md, "Archives".
constexpr std::string_view kArchiveHead =
    R"({"entitable":"archive","version":1})";
constexpr std::string_view kTableLine = R"({"TableName":)";
constexpr std::string_view kLastLine = R"({"tables":)";

constexpr char kNoArchiveText[] =
    "This line does not belong here in an archive.";
constexpr char kCutArchiveText[] =
    "The archive ends too early: lines are missing.";

std::string CountsOf(std::string_view first, std::uint64_t a,
                     std::string_view second, std::uint64_t b) {
  std::string json(first);
  AppendDecimal(static_cast<std::int64_t>(a), json);
  json += second;
  AppendDecimal(static_cast<std::int64_t>(b), json);
  return json += '}';
}

}  // namespace

Import::Import(std::string table, const ImportPart& part,
               std::optional<Schema> schema)
    : number_(part.import),
      table_(std::move(table)),
      mode_(part.mode),
      schema_(std::move(schema)) {
  entity_.is_archived = mode_ == ImportMode::kRestore;
  if (!entity_.is_archived) Collect(/*makes_table=*/false);
}

std::size_t Import::bytes() const {
  std::size_t bytes = splitter_.open_bytes() + settings_.size();
  for (const auto& step : collected_) bytes += step->bytes();
  return step_ ? bytes + step_->bytes() : bytes;
}

void Import::Collect(bool makes_table) {
  collected_.push_back(std::make_unique<LoadStep>(table_, mode_, makes_table));
}

void Import::Read(const ImportEntities& operation, JsonReader& json,
                  Profile profile) {
  keeps_doubles_ = operation.keeps_doubles;
  if (operation.format == WireFormat::kValues) {
    ReadValues(operation.input, json, profile);
  } else {
    ReadJson(operation.input, json, profile);
  }
}

void Import::ReadJson(JsonText part, JsonReader& json, Profile profile) {
  splitter_.Feed(part);
  while (!is_ended_) {
    switch (splitter_.Next()) {
      case JsonSplitter::Found::kObject:
        if (mode_ == ImportMode::kRestore) {
          ReadLine(splitter_.object(), json, profile);
        } else {
          ReadEntity(splitter_.object(), false, json, profile);
        }
        break;
      case JsonSplitter::Found::kFault:
        return FailHere(
            {ErrorCode::kInvalidInput, std::string(kUnreadableText)});
      case JsonSplitter::Found::kNothing:
        // An entity this long is invalid, so the rest of it is not needed.
        if (splitter_.open_bytes() > kMaxBodyBytes) {
          FailHere(Error(ErrorCode::kRequestBodyTooLarge));
        }
        return;
    }
  }
}

// Such a part does not end within an entity.
void Import::ReadValues(JsonText part, JsonReader& json, Profile profile) {
  Decoder rest(part.text);
  while (!is_ended_ && !rest.at_end()) {
    const std::uint8_t form = rest.ReadU8();
    const std::string_view entity = rest.ReadBytes(rest.ReadU32());
    if (rest.failed() || form > kPackedForm) {
      return FailHere({ErrorCode::kInvalidInput, std::string(kUnreadableText)});
    }
    const auto at = static_cast<std::size_t>(entity.data() - part.text.data());
    ReadEntity({entity, part.capacity - at}, form == kPackedForm, json,
               profile);
  }
}

// A line counts as stored together with what follows it; the first line counts
// at once.
void Import::ReadLine(JsonText line, JsonReader& json, Profile profile) {
  const bool is_first = read_ == 0;
  const bool is_at_place =
      !is_complete_ && is_first == (line.text == kArchiveHead);
  const bool is_setting = line.text.starts_with(kSettingStart) && may_set_;
  if (is_at_place && is_setting) {
    settings_.append(line.text).push_back('\n');
    ++setting_lines_;
    ++all_setting_lines_;
    ++read_;
    return;
  }
  if (!ParseSettings(json)) return;
  may_set_ = false;
  if (is_at_place && is_first) {
    read_ = stored_ = 1;
    may_set_ = true;
  } else if (is_at_place && line.text.starts_with(kTableLine)) {
    BeginTable(line, json);
  } else if (is_at_place && line.text.starts_with(kLastLine)) {
    EndArchive(line.text);
  } else if (is_at_place && tables_ > 0) {
    ReadEntity(line, false, json, profile);
  } else {
    FailHere(Error(ErrorCode::kInvalidInput, kNoArchiveText));
  }
}

void Import::BeginTable(JsonText line, JsonReader& json) {
  auto name = ReadTableName(json, line);
  if (!name) return FailHere(std::move(name).error());
  const auto table = TableName::Parse(*name);
  if (!table) return FailHere(table.error());
  table_ = table->text();
  ++tables_;
  ++read_;
  if (!collected_.empty() && !has_collected()) collected_.pop_back();
  Collect(/*makes_table=*/true);
  may_set_ = true;
}

// The last line has the numbers of tables and entities.
void Import::EndArchive(std::string_view line) {
  const std::uint64_t entities = read_ - 1 - tables_ - all_setting_lines_;
  is_complete_ =
      line == CountsOf(kLastLine, tables_, R"(,"entities":)", entities);
  if (!is_complete_) {
    return FailHere(Error(ErrorCode::kInvalidInput, kCutArchiveText));
  }
  ++read_;
}

// Reads the settings of the account (before the first table) or of the table.
// Returns false if they are invalid.
bool Import::ParseSettings(JsonReader& json) {
  if (setting_lines_ == 0) return true;
  const std::string text = std::exchange(settings_, {});
  const std::size_t lines = std::exchange(setting_lines_, 0);
  const bool is_table = tables_ > 0;
  auto settings = ReadSettings(
      json, {text}, is_table ? SettingsOf::kTable : SettingsOf::kAccount);
  if (!settings) {
    FailHere(std::move(settings).error());
    return false;
  }
  if (!is_table) {
    collected_.push_back(std::make_unique<LoadStep>("", mode_, false));
  }
  collected_.back()->Set(*std::move(settings), lines);
  return true;
}

void Import::ReadEntity(JsonText text, bool is_packed, JsonReader& json,
                        Profile profile) {
  Report report;
  entity_.properties.Clear();
  entity_.typed.clear();
  entity_.removed.clear();
  entity_.has_key = false;
  const bool is_read =
      is_packed ? ReadPackedEntity(json, text.text, profile, report, entity_)
                : ReadNewEntity(json, text, profile, report, entity_);
  if (!is_read) {
    Error reason = report.FirstError();
    const auto& [partition_key, row_key] = entity_.key;
    if (entity_.has_key) reason.entity_keys = {partition_key, row_key};
    return FailHere(std::move(reason));
  }
  for (Violation& warning : report.TakeWarnings()) {
    warnings_.push_back(std::move(warning));
  }
  collected_.back()->Add(entity_, keeps_doubles_);
  ++read_;
}

// Stores the entities before the invalid one, and then ends with the reason.
// The answer says how many of them are stored.
void Import::FailHere(Error reason) {
  failure_ = std::move(reason);
  is_ended_ = true;
  is_step_due_ = has_collected();
}

void Import::End() {
  if (is_ended_) return;
  const bool is_archive = mode_ == ImportMode::kRestore;
  if (is_archive && !is_complete_) {
    return FailHere(Error(ErrorCode::kInvalidInput, kCutArchiveText));
  }
  if (!splitter_.may_end()) {
    return FailHere({ErrorCode::kInvalidInput, std::string(kUnreadableText)});
  }
  is_ended_ = true;
  is_step_due_ = has_collected() || !(table_id_ || is_archive);
}

void Import::Stop(std::optional<Error> reason) {
  if (reason || !is_ended_) failure_ = std::move(reason);
  is_ended_ = is_stopped_ = true;
  is_step_due_ = false;
  collected_.clear();
  if (std::exchange(is_waiting_, false)) step_.reset();
}

void Import::Advance(std::size_t max_bytes) {
  const bool is_last = collected_.size() <= 1;
  const bool is_due = !is_last || is_step_due_ ||
                      (!is_ended_ && collected_bytes() >= max_bytes);
  if (step_ || !is_due) return;
  if (is_last) is_step_due_ = false;
  is_waiting_ = true;
  step_ = std::move(collected_.front());
  collected_.erase(collected_.begin());
  if (step_->makes_table()) loaded_ = {};
  step_->Seal(table_id_, loaded_, schema_);
  if (is_last) Collect(/*makes_table=*/false);
}

LoadStep* Import::StartStep() {
  is_waiting_ = false;
  return step_.get();
}

// What is left of a step goes before the step that is collected, so the order
// of the input is kept.
void Import::Complete(const Result<void>& outcome) {
  std::unique_ptr<LoadStep> step = std::move(step_);
  if (!outcome) return Stop(outcome.error());
  stored_ += step->stored();
  const bool has_rest = step->has_rest() && !is_stopped_;
  if (step->looks_up() && (has_rest || !is_done())) {
    step->AddTo(loaded_);
  }
  table_id_ = step->table_id();
  if (step->failure()) return Stop(step->failure());
  if (!has_rest) return;
  step->KeepRest();
  step_ = std::move(step);
  is_waiting_ = true;
}

bool Import::is_answer_due(std::size_t max_bytes) const {
  if (is_ended_) return is_done();
  return collected_.size() <= 1 && (!step_ || collected_bytes() < max_bytes);
}

Result<Response> Import::Answer() {
  // The last line of an archive counts once all lines before it are stored.
  if (is_complete_ && stored_ + 1 == read_) ++stored_;
  if (failure_ && is_done()) {
    Error reason = *failure_;
    reason.operation = static_cast<std::uint32_t>(stored_);
    return reason;
  }
  Response response{.status = kAccepted};
  response.body = CountsOf(R"({"read":)", read_, R"(,"stored":)", stored_);
  response.warnings = std::exchange(warnings_, {});
  return response;
}

}  // namespace entitable
