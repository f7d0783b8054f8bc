#include "support/model_check/feed.h"

#include <string>

#include "base/date_time.h"

namespace entitable::model_check {
namespace {

// Takes the text before the next unescaped quote, without its backslashes.
std::string TakeText(std::string_view& json) {
  std::string text;
  std::size_t at = 0;
  for (; json[at] != '"'; ++at) {
    if (json[at] == '\\') ++at;
    text += json[at];
  }
  json.remove_prefix(at + 1);
  return text;
}

// Takes a value, a string with its quotes.
std::string TakeValue(std::string_view& json) {
  if (json.front() == '"') {
    json.remove_prefix(1);
    return '"' + TakeText(json) + '"';
  }
  const std::size_t end = json.find_first_of(",}");
  std::string value(json.substr(0, end));
  json.remove_prefix(end);
  return value;
}

std::string Unquoted(const std::string& value) {
  return value.substr(1, value.size() - 2);
}

void SetMember(const std::string& name, std::string value,
               std::pair<Key, Entity>& out) {
  auto& [key, entity] = out;
  if (name == "odata.etag") {
    entity.etag = Unquoted(value);
  } else if (name == "PartitionKey") {
    key.first = Unquoted(value);
  } else if (name == "RowKey") {
    key.second = Unquoted(value);
  } else if (name == "Timestamp") {
    const auto time = DateTime::Parse(Unquoted(value));
    entity.ticks = time ? time->ticks : 0;
  } else {
    entity.properties.emplace_back(name, std::move(value));
  }
}

}  // namespace

Feed EntitiesIn(std::string_view body) {
  constexpr std::string_view kFirstMember = "\"odata.etag\":";
  Feed feed;
  for (auto at = body.find(kFirstMember); at != std::string_view::npos;
       at = body.find(kFirstMember)) {
    body.remove_prefix(at);
    auto& entity = feed.emplace_back();
    while (body.front() != '}') {
      body.remove_prefix(body.front() == ',' ? 2 : 1);  // And the quote.
      const std::string name = TakeText(body);
      body.remove_prefix(1);
      SetMember(name, TakeValue(body), entity);
    }
  }
  return feed;
}

}  // namespace entitable::model_check
