#include "replica/step_answer.h"

namespace entitable {
namespace {

void AppendKeyPair(const EntityKey& key, std::string& out) {
  out += '[';
  AppendJsonString(key.partition_key, out);
  out += ',';
  AppendJsonString(key.row_key, out);
  out += ']';
}

}  // namespace

std::string JsonKeys(const std::vector<EntityKey>& keys) {
  return JsonArray(keys, AppendKeyPair);
}

std::string JsonTexts(const std::vector<std::string>& texts) {
  return JsonArray(texts, [](std::string_view text, std::string& out) {
    AppendJsonString(text, out);
  });
}

std::string JsonRefused(const std::vector<sync::RefusedRow>& rows) {
  return JsonArray(rows, [](const auto& refused, std::string& out) {
    JsonObject row;
    row.Key(refused.key.view());
    row.Text("reason", refused.reason);
    out += std::move(row).Finish();
  });
}

}  // namespace entitable
