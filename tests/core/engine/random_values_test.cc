// The same entities as JSON and as values, at random: from the log, from pages,
// by query and by key, whole and selected.  What the JSON has to be is the
// subject of random_entities_test.cc.  ENTITABLE_RANDOM_VALUES: how many
// stores, by default 30.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/coding.h"
#include "base/date_time.h"
#include "base/text_encodings.h"
#include "support/conformance/json.h"
#include "support/memory_host.h"
#include "support/operations.h"
#include "support/random.h"
#include "support/random_entity.h"
#include "support/stored_pages.h"

namespace entitable {
namespace {

// "name Type value", those that are not there behind the others.
using Members = std::vector<std::string>;
using Answered = std::vector<Members>;

std::string Member(std::string_view name, std::string_view type,
                   std::string_view value) {
  return std::string(name) + ' ' + std::string(type) + ' ' + std::string(value);
}

std::string DoubleText(double value) {
  if (std::isnan(value)) return "NaN";
  return std::to_string(std::bit_cast<std::uint64_t>(value + 0.0));
}

std::string TicksOf(std::string_view text) {
  const auto time = DateTime::Parse(text);
  return time ? std::to_string(time->ticks) : "no time";
}

// ---------------------------------------------------------------------- JSON

double RealOf(const Json& value) {
  if (value.kind == Json::Kind::kNumber) return value.number;
  if (value.text == "NaN") return std::nan("");
  return value.text == "Infinity" ? HUGE_VAL : -HUGE_VAL;
}

std::string MemberOf(const Json& value, std::string type) {
  if (value.name == "Timestamp") type.clear();
  if (value.kind == Json::Kind::kNull) return Member(value.name, "null", {});
  if (value.kind == Json::Kind::kBoolean) {
    return Member(value.name, "Boolean", value.boolean ? "1" : "0");
  }
  if (type == "Edm.DateTime") {
    return Member(value.name, "DateTime", TicksOf(value.text));
  }
  if (type == "Edm.Binary") {
    return Member(value.name, "Binary", DecodeBase64(value.text).value());
  }
  const bool is_int32 = type.empty() && value.kind == Json::Kind::kNumber &&
                        value.number == std::floor(value.number);
  if (is_int32) {
    return Member(value.name, "Int32",
                  std::to_string(static_cast<long long>(value.number)));
  }
  if (type == "Edm.Double" || value.kind == Json::Kind::kNumber) {
    return Member(value.name, "Double", DoubleText(RealOf(value)));
  }
  return Member(value.name, type.empty() ? "String" : type.substr(4),
                value.text);
}

Members MembersOf(const Json& entity) {
  Members members;
  Members missing;
  std::string type;
  for (const Json& member : entity.items) {
    if (member.name.ends_with("@odata.type")) {
      type = member.text;
    } else if (member.name != "odata.metadata") {
      const bool is_there = member.kind != Json::Kind::kNull;
      (is_there ? members : missing)
          .push_back(MemberOf(member, std::exchange(type, {})));
    }
  }
  members.insert(members.end(), missing.begin(), missing.end());
  return members;
}

Answered OfJson(std::string_view body) {
  const auto json = ParseJson(body);
  if (!json) return {{"no JSON"}};
  const Json* feed = json->Find("value");
  if (feed == nullptr || feed->kind != Json::Kind::kArray) {
    return {MembersOf(*json)};
  }
  Answered entities;
  for (const Json& entity : feed->items) {
    entities.push_back(MembersOf(entity));
  }
  return entities;
}

// -------------------------------------------------------------------- values

// Reads the grammar of docs/internals/frames.md.
class ValuesReader {
 public:
  explicit ValuesReader(std::string_view bytes) : numbers_(bytes) {
    const std::uint32_t size = numbers_.ReadU32();
    texts_ = numbers_.rest().substr(size);
    numbers_ = Decoder(numbers_.rest().substr(0, size));
  }

  Answered Read() {
    Answered entities;
    while (!numbers_.at_end()) {
      if (const std::uint32_t units = numbers_.ReadU32()) {
        TakeSchema(TakeText(units));
      }
      TakeBlock(numbers_.ReadU32(), entities);
    }
    EXPECT_FALSE(numbers_.failed());
    EXPECT_TRUE(texts_.empty());
    return entities;
  }

 private:
  void TakeSchema(std::string schema) {
    schema_.clear();
    for (schema += '.'; !schema.empty();
         schema.erase(0, schema.find('.') + 1)) {
      schema_.push_back(schema.substr(0, schema.find('.')));
    }
  }

  std::string TakeText() { return TakeText(numbers_.ReadU32()); }
  std::string TakeText(std::uint32_t units) {
    std::size_t end = 0;
    while (units > 0) {
      const auto lead = static_cast<unsigned char>(texts_[end]);
      end += lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
      units -= lead < 0xF0 ? 1 : 2;
    }
    const std::string text(texts_.substr(0, end));
    texts_.remove_prefix(end);
    return text;
  }

  std::string TakeSystem(std::string_view name, const std::string& last) {
    const std::uint32_t units = numbers_.ReadU32();
    const std::string_view on_wire = name == "etag"           ? "odata.etag"
                                     : name == "partitionKey" ? "PartitionKey"
                                     : name == "rowKey"       ? "RowKey"
                                                              : "Timestamp";
    if (units == 0xFFFF'FFFF) return last;
    return Member(on_wire, "String", TakeText(units));
  }

  std::string TakeTime() {
    const auto ms = std::bit_cast<double>(numbers_.ReadU64());
    if (std::isnan(ms)) return TicksOf(TakeText());
    EXPECT_EQ(ms, std::floor(ms));
    return std::to_string(static_cast<std::int64_t>(ms) * 10'000 +
                          621'355'968'000'000'000);
  }

  std::string TakeMember(std::size_t i) {
    const std::string name = schema_[i].substr(1);
    switch (schema_[i].front()) {
      case '1':
        return Member(name, "String", TakeText());
      case '2':
        return Member(
            name, "Int32",
            std::to_string(static_cast<std::int32_t>(numbers_.ReadU32())));
      case '3':
        return Member(
            name, "Int64",
            std::to_string(static_cast<std::int64_t>(numbers_.ReadU64())));
      case '4':
        return Member(name, "Double",
                      DoubleText(std::bit_cast<double>(numbers_.ReadU64())));
      case '5':
        return Member(name, "Boolean", std::to_string(numbers_.ReadU8()));
      case '6':
        return Member(name, "DateTime", TakeTime());
      case '7':
        return Member(name, "Guid", TakeText());
      case '8':
        return Member(name, "Binary", numbers_.ReadBytes(numbers_.ReadU32()));
      default:
        return Member(name, "null", {});
    }
  }

  Members TakeSystemColumn(std::size_t i, std::size_t rows) {
    const std::uint32_t count = numbers_.ReadU32();
    EXPECT_TRUE(count == rows || count == 1);
    Members column;
    std::string last = i < last_.size() ? last_[i] : std::string();
    for (std::uint32_t left = count; left > 0; --left) {
      last = TakeSystem(schema_[i].substr(1), last);
      column.push_back(last);
    }
    column.resize(rows, last);
    return column;
  }

  void TakeBlock(std::size_t count, Answered& entities) {
    std::vector<Members> rows(count);
    for (std::size_t i = 0; i < schema_.size(); ++i) {
      const bool is_system = schema_[i].front() == '0';
      const Members of_system =
          is_system ? TakeSystemColumn(i, count) : Members();
      for (std::size_t row = 0; row < count; ++row) {
        rows[row].push_back(is_system ? of_system[row] : TakeMember(i));
      }
    }
    last_ = rows.back();
    entities.insert(entities.end(), rows.begin(), rows.end());
  }

  Decoder numbers_;
  std::string_view texts_;
  Members schema_;
  Members last_;
};

// --------------------------------------------------------------------- store

class RandomStore {
 public:
  explicit RandomStore(std::uint64_t seed)
      : random_(seed),
        entities_(seed),
        host_(std::make_shared<MemoryStorage>(), Profile::kDefault,
              {.cache_bytes = 8'000 + Below(100'000),
               .flush_bytes = 5'000 + Below(30'000),
               .flush_records = 5 + Below(30),
               .page_bytes = 500 + Below(20'000)}) {
    EXPECT_EQ(Outcome(host_.Do(NewTable("Pets"))), "201");
  }

  // Some of them differ only in one value, so that rows share a schema.
  void Fill() {
    RandomEntity entity = entities_.Next();
    for (std::size_t left = 20 + Below(60); left > 0; --left) {
      if (Below(3) == 0) {
        entity = entities_.Next();
      } else {
        entity.row_key = entities_.Next().row_key;
      }
      const auto inserted =
          host_.Do(Insert("Pets", entities_.SentBody(entity)));
      if (!inserted) continue;
      const std::pair key{Utf8(entity.partition_key), Utf8(entity.row_key)};
      if (Below(6) == 0) {
        ASSERT_EQ(Outcome(host_.Do(Delete("Pets", key.first, key.second))),
                  "204");
        continue;
      }
      keys_.push_back(key);
      for (const RandomProperty& property : entity.properties) {
        if (Below(8) == 0) names_.push_back(Utf8(property.name));
      }
    }
  }

  void ExpectAgreement() {
    if (Below(4) == 0) host_.Restart();
    With with;
    if (Below(2) == 0) with.select = NextSelect();
    if (Below(2) == 0) with.top = std::to_string(1 + Below(30));
    SCOPED_TRACE("select: " + with.select.value_or("(none)"));
    OwnedOperation query = Query("Pets", with);
    for (bool has_more = true; has_more;) {
      const auto page = ExpectSame(query);
      has_more = page && page->next_partition_key.has_value();
      if (!has_more) break;
      query.with.next_partition_key = page->next_partition_key;
      query.with.next_row_key = page->next_row_key;
    }
    if (keys_.empty()) return;
    const auto& [partition_key, row_key] = keys_[Below(keys_.size())];
    (void)ExpectSame(
        Get("Pets", partition_key, row_key, {.select = with.select}));
  }

  std::size_t Below(std::size_t end) { return random_() % end; }
  std::size_t compared() const { return compared_; }
  std::size_t leaves() { return ReadStoredPages(host_.storage()).leaves; }

 private:
  std::string NextSelect() {
    std::string select = "Nobody";
    for (const std::string_view name :
         {"PartitionKey", "RowKey", "Timestamp"}) {
      if (Below(2) == 0) select.append(",").append(name);
    }
    for (std::size_t left = Below(5); left > 0 && !names_.empty(); --left) {
      select.append(",").append(names_[Below(names_.size())]);
    }
    return select;
  }

  // The answer with values.
  Result<Response> ExpectSame(OwnedOperation read) {
    read.with.level = MetadataLevel::kTyped;
    const auto as_json = host_.Do(read);
    read.with.format = WireFormat::kValues;
    auto as_values = host_.Do(read);
    EXPECT_EQ(Outcome(as_json), "200");
    EXPECT_EQ(Outcome(as_values), "200");
    if (!as_json || !as_values) return as_values;
    const Answered expected = OfJson(as_json->body);
    EXPECT_EQ(ValuesReader(as_values->body).Read(), expected);
    compared_ += expected.size();
    return as_values;
  }

  std::mt19937_64 random_;
  RandomEntities entities_;
  MemoryHost host_;
  std::vector<std::pair<std::string, std::string>> keys_;
  std::vector<std::string> names_;
  std::size_t compared_ = 0;
};

TEST(RandomValuesTest, AreTheEntitiesThatComeAsJson) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  std::size_t compared = 0;
  std::size_t leaves = 0;
  const std::size_t stores = WantedRuns("ENTITABLE_RANDOM_VALUES", 30);
  const auto has_seen_enough = [&] {
    return compared > 100 * stores && leaves > stores;
  };
  for (std::size_t i = 0;
       TriesAgain(i, stores, has_seen_enough()) && !testing::Test::HasFailure();
       ++i) {
    SCOPED_TRACE("store " + std::to_string(i));
    RandomStore store(TestSeed() + i);
    store.Fill();
    for (int k = 0; k < 10 && !testing::Test::HasFailure(); ++k) {
      store.ExpectAgreement();
    }
    compared += store.compared();
    leaves += store.leaves();
  }
  EXPECT_TRUE(has_seen_enough())
      << compared << " entities, " << leaves << " leaves";
}

}  // namespace
}  // namespace entitable
