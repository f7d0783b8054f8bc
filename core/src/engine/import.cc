#include "engine/import.h"

#include <utility>

#include "base/coding.h"
#include "base/error_text.h"
#include "base/json_writer.h"
#include "model/limits.h"
#include "model/report.h"

namespace entitable {
namespace {

constexpr int kAccepted = 202;

// What stands before an entity of a part of values: 0 before JSON.
constexpr std::uint8_t kPackedForm = 1;

}  // namespace

Import::Import(std::string table, const ImportPart& part)
    : number_(part.import), table_(std::move(table)), mode_(part.mode) {
  Gather();
}

void Import::Gather() { gathered_ = std::make_unique<LoadStep>(table_, mode_); }

void Import::Read(JsonText part, JsonReader& json, Profile profile) {
  splitter_.Feed(part);
  while (!is_ended_) {
    switch (splitter_.Next()) {
      case JsonSplitter::Found::kObject:
        ReadEntity(splitter_.object(), false, json, profile);
        break;
      case JsonSplitter::Found::kFault:
        return FailHere(
            {ErrorCode::kInvalidInput, std::string(kUnreadableText)});
      case JsonSplitter::Found::kNothing:
        // What an insert would not take needs no end.
        if (splitter_.open_bytes() > kMaxBodyBytes) {
          FailHere(Error(ErrorCode::kRequestBodyTooLarge));
        }
        return;
    }
  }
}

void Import::ReadValues(JsonText part, JsonReader& json, Profile profile) {
  Decoder rest(part.text);
  while (!is_ended_ && !rest.at_end()) {
    const std::uint8_t form = rest.TakeU8();
    const std::string_view entity = rest.TakeBytes(rest.TakeU32());
    if (rest.failed() || form > kPackedForm) {
      return FailHere({ErrorCode::kInvalidInput, std::string(kUnreadableText)});
    }
    const auto at = static_cast<std::size_t>(entity.data() - part.text.data());
    ReadEntity({entity, part.capacity - at}, form == kPackedForm, json,
               profile);
  }
}

void Import::ReadEntity(JsonText text, bool is_packed, JsonReader& json,
                        Profile profile) {
  Report report;
  entity_.properties.Clear();
  const bool is_read =
      is_packed ? ReadPackedEntity(json, text.text, profile, report, entity_)
                : ReadNewEntity(json, text, profile, report, entity_);
  if (!is_read) return FailHere(report.FirstError());
  for (Violation& warning : report.TakeWarnings()) {
    warnings_.push_back(std::move(warning));
  }
  gathered_->Add(entity_);
  ++read_;
}

// What comes before the entity at fault is stored.
void Import::FailHere(Error reason) {
  failure_ = std::move(reason);
  is_ended_ = true;
  is_step_due_ = !gathered_->is_empty();
}

void Import::End() {
  if (is_ended_) return;
  if (!splitter_.may_end()) {
    return FailHere({ErrorCode::kInvalidInput, std::string(kUnreadableText)});
  }
  is_ended_ = true;
  is_step_due_ = !gathered_->is_empty() || !table_id_;
}

void Import::Stop(std::optional<Error> reason) {
  if (reason || !is_ended_) failure_ = std::move(reason);
  is_ended_ = true;
  is_step_due_ = false;
  if (std::exchange(is_waiting_, false)) step_.reset();
}

void Import::Advance(std::size_t max_bytes) {
  const bool is_due =
      is_step_due_ || (!is_ended_ && gathered_->bytes() >= max_bytes);
  if (step_ || !is_due) return;
  is_step_due_ = false;
  is_waiting_ = true;
  step_ = std::move(gathered_);
  step_->Seal(table_id_, loaded_);
  Gather();
}

LoadStep* Import::TakeStep() {
  is_waiting_ = false;
  return step_.get();
}

void Import::Settle(const Result<Response>& outcome) {
  const std::unique_ptr<LoadStep> step = std::move(step_);
  if (!outcome) return Stop(outcome.error());
  stored_ += step->stored();
  if (mode_ != ImportMode::kReplace && !is_done()) step->AddTo(loaded_);
  table_id_ = step->table_id();
  if (step->failure()) Stop(step->failure());
}

bool Import::is_answer_due(std::size_t max_bytes) const {
  if (is_ended_) return is_done();
  return !step_ || gathered_->bytes() < max_bytes;
}

Result<Response> Import::Answer() {
  if (failure_ && is_done()) {
    Error reason = *failure_;
    reason.operation = static_cast<std::uint32_t>(stored_);
    return reason;
  }
  Response response{.status = kAccepted};
  response.body = "{\"read\":";
  AppendDecimal(static_cast<std::int64_t>(read_), response.body);
  response.body += ",\"stored\":";
  AppendDecimal(static_cast<std::int64_t>(stored_), response.body);
  response.body += '}';
  response.warnings = std::exchange(warnings_, {});
  return response;
}

}  // namespace entitable
