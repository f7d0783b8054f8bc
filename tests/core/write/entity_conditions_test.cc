// Etags and the conditions of writes: cases 245 to 256 and 278 of the spec.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "support/one_entity_test.h"

namespace entitable {
namespace {

using EntityConditionsTest = OneEntityTest;

// Cases 245 to 248 and 256.
TEST_F(EntityConditionsTest, AnEtagNamesOneVersion) {
  GivenEntity(R"("A":1)");
  const std::string old_etag = StoredEtag();

  EXPECT_EQ(Put(R"({"A":2})", {.if_match = old_etag}), "204");
  EXPECT_NE(StoredEtag(), old_etag);

  EXPECT_EQ(Put("{}", {.if_match = old_etag}),
            "412 UpdateConditionNotSatisfied");
  EXPECT_EQ(Patch("{}", {.if_match = old_etag}),
            "412 UpdateConditionNotSatisfied");
  EXPECT_EQ(Remove({.if_match = old_etag}), "412 UpdateConditionNotSatisfied");
  EXPECT_EQ(MessageOf(Replace("Tab", "p", "r", "{}", {.if_match = old_etag})),
            "The update condition specified in the request was not satisfied.");
  EXPECT_EQ(Stored(), R"("A":2)");

  EXPECT_EQ(Patch("{}", {.if_match = StoredEtag()}), "204");
  EXPECT_EQ(Remove({.if_match = StoredEtag()}), "204");
  EXPECT_EQ(Stored(), "404 ResourceNotFound");
}

// Cases 249 to 253; operations of the spec, 2.11.4.
TEST_F(EntityConditionsTest, ReadsTheIfMatchOfAWrite) {
  GivenEntity(R"("A":1)");
  const struct {
    const char* if_match;
    const char* outcome;
  } kCases[] = {
      {R"(W/"nonsense")", "412 UpdateConditionNotSatisfied"},
      {R"(w/"nonsense")", "412 UpdateConditionNotSatisfied"},
      {R"(W/"")", "412 UpdateConditionNotSatisfied"},
      {R"("nonsense")", "400 InvalidInput"},
      {"nonsense", "400 InvalidInput"},
      {"", "400 InvalidInput"},
      {R"(W/"a", W/"b")", "400 InvalidInput"},
  };
  for (const auto& [if_match, outcome] : kCases) {
    EXPECT_EQ(Put("{}", {.if_match = if_match}), outcome) << if_match;
    EXPECT_EQ(Patch("{}", {.if_match = if_match}), outcome) << if_match;
    EXPECT_EQ(Remove({.if_match = if_match}), outcome) << if_match;
  }
  EXPECT_EQ(
      MessageOf(Replace("Tab", "p", "r", "{}", {.if_match = R"("nonsense")"})),
      R"(The etag value '"nonsense"' specified in one of the request headers )"
      "is not valid. Please make sure only one etag value is specified and is "
      "valid.");
}

// Cases 254 and 255.
TEST_F(EntityConditionsTest, RefusesAnIfNoneMatchOnAWrite) {
  GivenEntity(R"("A":1)");
  for (const With& with :
       {With{.if_none_match = "*"}, With{.if_match = "*", .if_none_match = "*"},
        With{.if_none_match = R"(W/"x")"}}) {
    EXPECT_EQ(Put("{}", with), "400 InvalidInput");
    EXPECT_EQ(Patch("{}", with), "400 InvalidInput");
    EXPECT_EQ(Remove(with), "400 InvalidInput");
  }
}

TEST_F(EntityConditionsTest, AcceptsAnEtagWhoseColonsWereDecoded) {
  GivenEntity(R"("A":1)");
  std::string etag = StoredEtag();
  for (auto at = etag.find("%3A"); at != etag.npos; at = etag.find("%3A")) {
    etag.replace(at, 3, ":");
  }

  EXPECT_EQ(Put("{}", {.if_match = etag}), "204");
}

// Case 278.
TEST_F(EntityConditionsTest, TheEtagOfADeletedEntityMatchesNoLaterOne) {
  GivenEntity("");
  const std::string etag = StoredEtag();
  EXPECT_EQ(Remove({.if_match = "*"}), "204");
  GivenEntity("");

  EXPECT_EQ(Put("{}", {.if_match = etag}), "412 UpdateConditionNotSatisfied");
}

}  // namespace
}  // namespace entitable
