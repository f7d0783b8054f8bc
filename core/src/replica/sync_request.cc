#include "replica/sync_request.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/coding.h"
#include "base/json_reader.h"
#include "base/number.h"
#include "base/text_encodings.h"
#include "base/utf.h"
#include "model/entity_reader.h"

namespace entitable {
namespace {

constexpr std::string_view kStepTexts[] = {
#define ENTITABLE_X(name, text, needs) text,
    ENTITABLE_SYNC_STEPS(ENTITABLE_X)
#undef ENTITABLE_X
};

Failure Unreadable() {
  return Fail(ErrorCode::kInvalidInput,
              "The arguments of a step of sync cannot be read.");
}

// Long numbers and times are decimal texts.  What is none counts as zero, as if
// the argument were missing.
std::uint64_t NumberOf(const JsonMember& member) {
  const auto number = ParseInt64(member.text);
  return number && *number > 0 ? static_cast<std::uint64_t>(*number) : 0;
}

DateTime TimeOf(const JsonMember& member) {
  const auto ticks = static_cast<std::int64_t>(NumberOf(member));
  return {std::min(ticks, kMaxDateTime.ticks)};
}

std::string& KeyText(std::optional<EntityKey>& key, bool is_row_key) {
  if (!key) key.emplace();
  return is_row_key ? key->row_key : key->partition_key;
}

// Takes an argument.  Returns false if there is none of this name.
bool ReadArgument(const JsonMember& member, SyncRequest& request) {
  const std::string_view name = member.name;
  const auto is = [name](std::string_view text) { return name == text; };
  if (is("scope")) {
    request.scope.partition_key = member.text;
  } else if (is("partitionKey")) {
    request.key.partition_key = member.text;
  } else if (is("rowKey")) {
    request.key.row_key = member.text;
  } else if (is("afterPartitionKey") || is("afterRowKey")) {
    KeyText(request.after, is("afterRowKey")) = member.text;
  } else if (is("place")) {
    request.place = BytesOfHex(member.text);
  } else if (is("url")) {
    request.url = member.text;
  } else if (is("remoteTable")) {
    request.remote_table = member.text;
  } else if (is("token")) {
    request.token = member.text;
  } else if (is("sequence")) {
    request.sequence = NumberOf(member);
  } else if (is("askedAt")) {
    request.asked_at = TimeOf(member);
  } else if (is("date")) {
    request.date = TimeOf(member);
  } else if (is("position")) {
    request.position = NumberOf(member);
  } else if (is("number")) {
    request.number = NumberOf(member);
  } else if (is("sentAt")) {
    request.sent_at = TimeOf(member);
  } else if (is("status")) {
    request.status = static_cast<int>(NumberOf(member));
  } else if (is("missing")) {
    request.missing = NumberOf(member);
  } else if (is("known")) {
    request.known = NumberOf(member);
  } else if (is("discard")) {
    request.discards = member.boolean;
  } else if (is("check")) {
    request.is_check = member.boolean;
  } else if (is("forbidden")) {
    request.is_forbidden = member.boolean;
  } else if (is("unsent")) {
    request.is_unsent = member.boolean;
  } else if (is("absent")) {
    request.is_absent = member.boolean;
  } else if (is("end")) {
    request.is_end = member.boolean;
  } else if (is("readOnly")) {
    request.is_read_only = member.boolean;
  } else if (is("keepRows")) {
    request.keeps_rows = member.boolean;
  } else if (is("conflict")) {
    request.asks_app = member.text == "ask";
    request.policy = member.text == "remote"  ? sync::ConflictPolicy::kRemote
                     : member.text == "local" ? sync::ConflictPolicy::kLocal
                                              : sync::ConflictPolicy::kMerge;
  } else if (is("prefer")) {
    request.prefer =
        member.text == "local" ? sync::Prefer::kLocal : sync::Prefer::kRemote;
  } else {
    return false;
  }
  return true;
}

// A decision is an object with the name of its conflicts; an object follows for
// each of their rows, which is empty if the row is to be absent.
Result<void> ReadDecisions(JsonReader& json, std::string_view text,
                           std::vector<Decision>& decisions) {
  JsonSplitter splitter;
  splitter.Feed({text, text.size()});
  while (splitter.Next() == JsonSplitter::Found::kObject) {
    const JsonText object = splitter.object();
    const auto members = json.ReadFlatObject(object);
    if (!members) return Unreadable();
    if (members->size() == 1 && members->front().name == "of") {
      decisions.push_back({.of = std::string(members->front().text)});
      continue;
    }
    if (decisions.empty()) return Unreadable();
    DecidedRow& row = decisions.back().rows.emplace_back();
    if (members->empty()) continue;
    ENTITABLE_TRY(NewEntity entity, ReadNewEntity(json, object));
    row.value = std::move(entity.properties);
    row.typed = std::move(entity.typed);
  }
  if (!splitter.may_end()) return Unreadable();
  return {};
}

// Adds a page.
void AddPage(JsonReader& json, std::string_view text, sync::EntityPage& page) {
  sync::EntityPage next = sync::ReadEntityPage(json, text);
  std::ranges::move(next.rows, std::back_inserter(page.rows));
  std::ranges::move(next.refused, std::back_inserter(page.refused));
  page.is_whole = page.is_whole && next.is_whole;
}

// The texts of the remote, each with its length before it.  They are passed on
// as they came, and this module reads them: parsed by JavaScript, the Double
// 3.0 would come back as the Int32 3.
Result<void> ReadTexts(JsonReader& json, std::string_view bytes,
                       SyncRequest& request) {
  request.page.is_whole = true;
  Decoder rest(bytes);
  while (!rest.at_end()) {
    const std::string_view text = rest.ReadBytes(rest.ReadU32());
    if (rest.failed() || !IsValidUtf8(text)) return Unreadable();
    switch (request.step) {
      case SyncStep::kCompletePush:
        request.answer = sync::ReadBatchAnswer(text);
        // The whole request was refused.
        if (request.status >= 400) request.answer.error = sync::ReadError(text);
        break;
      case SyncStep::kTakeRow: {
        // A row by itself is read as a page of one row.
        const std::string page =
            std::string(R"({"value":[)").append(text).append("]}");
        AddPage(json, page, request.page);
        break;
      }
      default:
        AddPage(json, text, request.page);
    }
  }
  if (!request.page.is_whole) {
    return Fail(ErrorCode::kInvalidInput,
                "The answer of the remote is not a whole page of entities.");
  }
  return {};
}

}  // namespace

Result<SyncRequest> ReadSyncRequest(const SyncTable& operation,
                                    JsonReader& json) {
  SyncRequest request{.table = std::string(operation.table)};
  const auto members = json.ReadFlatObject(operation.arguments);
  if (!members) return Unreadable();
  bool has_step = false;
  std::string decisions;
  for (const JsonMember& member : *members) {
    if (member.name == "decisions") {
      decisions = member.text;
    } else if (member.name == "step") {
      const auto* const found = std::ranges::find(kStepTexts, member.text);
      has_step = found != std::end(kStepTexts);
      request.step = static_cast<SyncStep>(found - std::begin(kStepTexts));
    } else if (!ReadArgument(member, request)) {
      return Unreadable();
    }
  }
  if (!has_step) return Unreadable();
  ENTITABLE_TRY(ReadDecisions(json, decisions, request.decisions));
  ENTITABLE_TRY(ReadTexts(json, operation.answer, request));
  return request;
}

}  // namespace entitable
