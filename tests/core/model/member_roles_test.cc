// The roles of members are kept for bodies with the same names.

#include <gtest/gtest.h>

#include <string>

#include "model/entity_members.h"
#include "support/read_entity.h"

namespace entitable {
namespace {

class MemberRolesTest : public testing::Test {
 protected:
  // Reads a body behind those before it.
  std::string Read(const std::string& members) {
    const auto entity = ReadNewEntity(reader_, {EntityBody("p", "r", members)});
    return entity ? Print(entity->properties) : Refusal(entity.error());
  }

  JsonReader reader_;
};

TEST_F(MemberRolesTest, FollowTheTypesOfEachBody) {
  EXPECT_EQ(Read(R"("A":"1","A@odata.type":"Edm.Int64","B":2)"),
            "A:Edm.Int64=1 B:Edm.Int32=2");
  EXPECT_EQ(Read(R"("A":"3","A@odata.type":"Edm.String","B":"4")"),
            "A:Edm.String=3 B:Edm.String=4");
  EXPECT_EQ(Read(R"("A":"5","A@odata.type":"Edm.None","B":6)"),
            "400 InvalidInput");
  EXPECT_EQ(Read(R"("A":"7","A@odata.type":"Edm.Int64","B":8)"),
            "A:Edm.Int64=7 B:Edm.Int32=8");
}

TEST_F(MemberRolesTest, BelongToNamesInOneOrder) {
  EXPECT_EQ(Read(R"("A@odata.type":"Edm.Int64","A":"1","B":2)"),
            "A:Edm.Int64=1 B:Edm.Int32=2");
  EXPECT_EQ(Read(R"("B":"3","A@odata.type":"Edm.Int64","A":"4")"),
            "B:Edm.String=3 A:Edm.Int64=4");
  EXPECT_EQ(Read(R"("B@odata.type":"Edm.Int64","B":"5","A":6)"),
            "B:Edm.Int64=5 A:Edm.Int32=6");
  EXPECT_EQ(Read(R"("B":"7")"), "B:Edm.String=7");
}

TEST_F(MemberRolesTest, LeaveOutNullsAndNamesOfTheService) {
  const std::string members = R"("A":1,"odata.etag":"x","Timestamp":"y")";
  EXPECT_EQ(Read(members), "A:Edm.Int32=1");
  EXPECT_EQ(Read(R"("A":null,"odata.etag":"x","Timestamp":"y")"), "");
  EXPECT_EQ(Read(R"("A":2,"odata.etag":null,"Timestamp":"y")"),
            "A:Edm.Int32=2");
  EXPECT_EQ(Read(members), "A:Edm.Int32=1");
}

TEST_F(MemberRolesTest, DoNotOutliveABodyThatIsRefused) {
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(Read(R"("A":1,"@odata.type":"Edm.Int32")"),
              "400 PropertyNameInvalid");
    EXPECT_EQ(Read(R"("a-b":1)"), "400 PropertyNameInvalid");
    EXPECT_EQ(Read(R"("A":1,"A":2)"), "400 DuplicatePropertiesSpecified");
    EXPECT_EQ(Read(R"("A":[1])"), "400 InvalidInput");
    EXPECT_EQ(Read(R"("A":1)"), "A:Edm.Int32=1");
  }
}

TEST_F(MemberRolesTest, AreTheSameForKeysWithATypeOfTheirOwn) {
  const auto body = [](const std::string& type) {
    return R"({"PartitionKey":"p","RowKey":"r","RowKey@odata.type":")" + type +
           R"("})";
  };
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(ReadNewEntity(reader_, {body("Edm.String")}).has_value());
    EXPECT_FALSE(ReadNewEntity(reader_, {body("Edm.Int32")}).has_value());
  }
}

}  // namespace
}  // namespace entitable
