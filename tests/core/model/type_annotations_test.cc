#include <gtest/gtest.h>

#include <string>

#include "model/entity_members.h"
#include "support/read_entity.h"

namespace entitable {
namespace {

TEST(TypeAnnotationsTest, FindsTheAnnotationOnEitherSideOfItsMember) {
  EXPECT_EQ(ReadMembers(R"("X":"5","X@odata.type":"Edm.Int64")"),
            "X:Edm.Int64=5");
  EXPECT_EQ(ReadMembers(R"("Y@odata.type":"Edm.Int64","X":"5","Y":"6")"),
            "X:Edm.String=5 Y:Edm.Int64=6");
  EXPECT_EQ(ReadMembers(R"("X@odata.type":5,"X":"5")"), "400 InvalidInput");
  EXPECT_EQ(ReadMembers(R"("X@odata.type":null,"X":"5")"), "400 InvalidInput");
}

TEST(TypeAnnotationsTest, FindsEachAnnotationAmongMany) {
  for (const int count : {7, 8, 9, 100}) {
    SCOPED_TRACE(count);
    std::string body = R"({"PartitionKey":"p","RowKey":"r")";
    for (int i = 0; i < count; ++i) {
      const std::string name = "n" + std::to_string(i);
      body += ",\"" + name + "\":\"" + std::to_string(i) + "\"";
      const std::string type = i % 2 == 0 ? "Edm.Int64" : "Edm.String";
      body += ",\"" + name + "@odata.type\":\"" + type + "\"";
    }
    JsonReader reader;

    const auto entity = ReadNewEntity(reader, {body + R"(,"plain":"1"})"});

    ASSERT_TRUE(entity.has_value());
    for (int i = 0; i < count; ++i) {
      const auto value = entity->properties.Find("n" + std::to_string(i));
      ASSERT_TRUE(value.has_value());
      EXPECT_EQ(value->type(), i % 2 == 0 ? EdmType::kInt64 : EdmType::kString);
    }
    EXPECT_EQ(entity->properties.Find("plain")->type(), EdmType::kString);
  }
}

}  // namespace
}  // namespace entitable
