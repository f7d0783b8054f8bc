#include <gtest/gtest.h>

#include <string>

#include "protocol/headers.h"

namespace entitable {
namespace {

std::string Print(const Result<MetadataLevel>& level) {
  if (!level) return std::string(ErrorName(level.error().code));
  switch (*level) {
    case MetadataLevel::kNone:
      return "none";
    case MetadataLevel::kMinimal:
      return "minimal";
    case MetadataLevel::kFull:
      return "full";
    case MetadataLevel::kTyped:
      return "typed";
  }
  return {};
}

TEST(AcceptTest, ChoosesTheLevelThatTheClientLikesBest) {
  const struct {
    const char* accept;
    const char* level;
  } kCases[] = {
      {"", "minimal"},
      {"application/json", "minimal"},
      {"application/json;odata=minimalmetadata", "minimal"},
      {"application/json;odata=nometadata", "none"},
      {"application/json;odata=fullmetadata", "full"},
      {"APPLICATION/JSON ; OData = NoMetadata", "none"},
      {"application/json;odata=fullmetadata;charset=utf-8", "full"},
      {"application/json;charset=utf-8", "minimal"},
      {"json", "minimal"},
      {"*/*", "minimal"},
      {"application/*", "minimal"},
      {"text/html,application/xml;q=0.9,*/*;q=0.8", "minimal"},
      {"application/atom+xml,application/json;odata=fullmetadata", "full"},
      {"application/json;odata=nometadata,application/json", "none"},
      {"application/json;q=0.5,application/json;odata=fullmetadata", "full"},
      {"application/json;odata=nometadata;q=0.9,"
       "application/json;odata=fullmetadata;q=0.2",
       "none"},
      {"application/json;odata=nometadata;q=0,application/json", "minimal"},
      {"application/json;odata=verbose,application/json;q=0.1", "minimal"},
  };
  for (const auto& [accept, level] : kCases) {
    SCOPED_TRACE(accept);
    EXPECT_EQ(Print(NegotiateLevel(accept)), level);
  }
}

TEST(AcceptTest, RefusesWhatIsNoJson) {
  const struct {
    const char* accept;
    const char* code;
  } kCases[] = {
      {"application/atom+xml", "AtomFormatNotSupported"},
      {"application/xml", "AtomFormatNotSupported"},
      {"atom", "AtomFormatNotSupported"},
      {"text/plain,application/atom+xml;q=0.1", "AtomFormatNotSupported"},
      {"text/plain", "MediaTypeNotSupported"},
      {"application/json;odata=verbose", "MediaTypeNotSupported"},
      {"application/json;q=0", "MediaTypeNotSupported"},
      {"application/json;q=x", "MediaTypeNotSupported"},
      {",;,", "MediaTypeNotSupported"},
  };
  for (const auto& [accept, code] : kCases) {
    SCOPED_TRACE(accept);
    EXPECT_EQ(Print(NegotiateLevel(accept)), code);
  }
}

}  // namespace
}  // namespace entitable
