// The steps of sync on a stored table: what is stored together, and what the
// host is told.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/engine_test.h"
#include "support/schema_bytes.h"
#include "support/values_reader.h"

namespace entitable {
namespace {

class SyncStepTest : public EngineTest {
 protected:
  void SetUp() override { Given(NewTable("Todos")); }

  std::string Take(std::string_view step, std::string_view members = {},
                   const std::vector<std::string>& answers = {}) {
    return Body(host_.Do(SyncStepOf("Todos", step, members, answers)));
  }

  void Begin() {
    Take("start");
    ASSERT_EQ(MemberOf(Take("adopt"), "done"), "true");
  }

  // The first pull has found these rows.
  void Pull(const std::string& rows, const std::string& token = "") {
    const std::string next = Take("nextPull");
    Take("applyPage",
         AskedOf(next) + ",\"position\":" + MemberOf(next, "position") +
             ",\"date\":\"638397614456780000\",\"token\":\"" + token + "\"",
         {R"({"value":[)" + rows + "]}"});
  }

  static std::string RemoteRow(const std::string& row_key, int number,
                               int second) {
    return R"({"odata.etag":"W/\"datetime'2024-01-02T03%3A00%3A0)" +
           std::to_string(second) + R"(.5Z'\"","PartitionKey":"p","RowKey":")" +
           row_key + R"(","A":)" + std::to_string(number) + "}";
  }

  // A member of a flat object, as JSON.
  static std::string MemberOf(const std::string& json,
                              const std::string& name) {
    const std::size_t at = json.find("\"" + name + "\":");
    if (at == std::string::npos) return "";
    const std::size_t start = at + name.size() + 3;
    if (json[start] == '"') {
      return json.substr(start, json.find('"', start + 1) + 1 - start);
    }
    return json.substr(start, json.find_first_of(",}", start) - start);
  }

  static std::string AskedOf(const std::string& answer) {
    return "\"sequence\":" + MemberOf(answer, "sequence") +
           ",\"askedAt\":" + MemberOf(answer, "now");
  }

  std::string Push() {
    return Take("beginPush",
                R"("partitionKey":"p","url":"http://r","remoteTable":"Todos")");
  }

  std::string Complete(const std::string& push, const std::string& answer) {
    return Take("completePush",
                R"("partitionKey":"p","status":"202","number":)" +
                    MemberOf(push, "number") +
                    ",\"sentAt\":" + MemberOf(push, "sentAt"),
                {answer});
  }

  // The remote refuses the request for good.
  void Refuse(const std::string& push) {
    Take("completePush",
         R"("partitionKey":"p","status":"400","number":)" +
             MemberOf(push, "number") +
             ",\"sentAt\":" + MemberOf(push, "sentAt"),
         {R"({"code":"InvalidInput","value":"No."})"});
  }

  static int Count(const std::string& text, const std::string& part) {
    int count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos;
         at = text.find(part, at + 1)) {
      ++count;
    }
    return count;
  }

  static std::string Success(int second) {
    return "--b\r\n\r\n--c\r\n\r\nHTTP/1.1 204 No Content\r\nETag: "
           "W/\"datetime'2024-01-02T03%3A00%3A0" +
           std::to_string(second) + ".5Z'\"\r\n\r\n\r\n--c--\r\n--b--\r\n";
  }

  std::string Pending() { return Take("pending"); }

  static OwnedOperation Changes(std::optional<std::uint64_t> position) {
    return {OperationKind::kAwaitChanges, "Todos", {}, {}, {},
            {.position = position}};
  }
  std::uint64_t Position() {
    return host_.Do(Changes(std::nullopt))->position.value_or(0);
  }

  // "remote 1, local 2": the rows that have changed since, the last one first.
  std::string ChangedSince(std::uint64_t position) {
    const auto answer = host_.Do(Changes(position));
    if (!answer) return Outcome(answer);
    std::string text;
    std::size_t at = 0;
    for (const ValuesRow& row : ReadValues(answer->body)) {
      const bool is_remote =
          at < answer->origins.size() && answer->origins[at] == 'r';
      if (at++ > 0) text += ", ";
      text += (is_remote ? "remote " : "local ") + row.at("rowKey");
    }
    return text;
  }

  void SetMaximum(std::int32_t maximum) {
    Given(Enforce("Todos",
                  SchemaBytes({Required("A", EdmType::kInt32,
                                        {Maximum(Value::Int32(maximum))})})));
  }
};

constexpr char kEntity[] = R"({"PartitionKey":"p","RowKey":"1","A":1})";

TEST_F(SyncStepTest, KeepsAWriteAndItsMarkInOneCommit) {
  Begin();
  Pull("");
  const auto records = host_.storage().values().size();
  Given(Insert("Todos", kEntity));
  EXPECT_EQ(host_.storage().values().size(), records + 1);
  EXPECT_NE(Pending().find(R"("rowKeys":["1"])"), std::string::npos);
}

TEST_F(SyncStepTest, RemembersThePullAndItsRowsAfterARestart) {
  Begin();
  Pull(RemoteRow("1", 5, 1), "NextRowKey=2");
  host_.Restart();
  EXPECT_EQ(MemberOf(Take("nextPull"), "token"), "\"NextRowKey=2\"");
  EXPECT_EQ(Stored("Todos", "p", "1"), "\"A\":5");
}

TEST_F(SyncStepTest, PushesNothingBeforeTheFirstPullIsComplete) {
  Begin();
  Given(Insert("Todos", kEntity));
  Pull("", "more");
  EXPECT_EQ(MemberOf(Push(), "number"), "");
  Pull("");
  EXPECT_NE(MemberOf(Push(), "number"), "");
}

TEST_F(SyncStepTest, SendsTheSameAgainUntilTheOutcomeIsKnown) {
  Begin();
  Pull("");
  Given(Insert("Todos", kEntity));
  const std::string first = Push();
  Given(Replace("Todos", "p", "1", R"({"A":2})", {.if_match = "*"}));
  host_.Restart();
  const std::string again = Push();
  EXPECT_EQ(MemberOf(again, "number"), MemberOf(first, "number"));
  EXPECT_EQ(MemberOf(again, "body"), MemberOf(first, "body"));
  EXPECT_EQ(MemberOf(Complete(again, Success(2)), "next"), "\"done\"");
  EXPECT_NE(Push().find("PUT http://r/Todos"), std::string::npos);
}

TEST_F(SyncStepTest, KeepsTheEtagOfTheAppWhenARowIsPushed) {
  Begin();
  Pull("");
  const std::string etag = EtagOf(Insert("Todos", kEntity));
  Complete(Push(), Success(3));
  EXPECT_EQ(Pending().find("rowKeys"), std::string::npos);
  EXPECT_EQ(Do(Replace("Todos", "p", "1", R"({"A":2})", {.if_match = etag})),
            "204");
  // The remote's ETag is kept beside it.
  EXPECT_NE(Push().find("datetime'2024-01-02T03%3A00%3A03.5Z'"),
            std::string::npos);
}

TEST_F(SyncStepTest, TakesTheTimestampOfTheRemoteForItsRows) {
  Begin();
  Pull(RemoteRow("1", 5, 1));
  const std::string body = Body(host_.Do(Get("Todos", "p", "1")));
  EXPECT_NE(body.find(R"("Timestamp":"2024-01-02T03:00:01.5Z")"),
            std::string::npos)
      << body;
}

TEST_F(SyncStepTest, MakesRowsDirtyThatWereThereBefore) {
  Given(Insert("Todos", kEntity));
  Take("start");
  // Written before its turn.
  Given(Replace("Todos", "p", "1", R"({"A":2})", {.if_match = "*"}));
  EXPECT_EQ(MemberOf(Take("adopt"), "done"), "true");
  Pull("");
  EXPECT_NE(Push().find("POST http://r/Todos"), std::string::npos);
}

TEST_F(SyncStepTest, PushesWhatIsImported) {
  Begin();
  Pull("");
  Given(Import("Todos", kEntity));
  EXPECT_NE(Push().find("POST http://r/Todos"), std::string::npos);
}

TEST_F(SyncStepTest, RefusesToDropASyncedTable) {
  Begin();
  EXPECT_EQ(Do(DropTable("Todos")), "409 TableSynced");
}

TEST_F(SyncStepTest, RefusesWritesToACopy) {
  Take("start", R"("readOnly":true)");
  Take("adopt");
  EXPECT_EQ(Do(Insert("Todos", kEntity)), "403 TableReadOnly");
  Pull(RemoteRow("1", 5, 1));
  EXPECT_EQ(Stored("Todos", "p", "1"), "\"A\":5");
}

TEST_F(SyncStepTest, HidesItsOwnTable) {
  Begin();
  EXPECT_EQ(TextsOf("TableName", Body(host_.Do(ListTables()))),
            std::vector<std::string>{"Todos"});
  EXPECT_EQ(Do(Insert("$Todos", kEntity)), "404 TableNotFound");
}

TEST_F(SyncStepTest, EndsOnlyWithoutPendingRowsUnlessToldTo) {
  Begin();
  Given(Insert("Todos", kEntity));
  EXPECT_EQ(Do(SyncStepOf("Todos", "stop")), "409 TableSynced");
  EXPECT_EQ(Do(SyncStepOf("Todos", "stop", R"("discard":true)")), "200");
  EXPECT_EQ(
      Stored("Todos", "p", "1").find("ResourceNotFound") != std::string::npos,
      true);
  EXPECT_EQ(Do(DropTable("Todos")), "204");
}

TEST_F(SyncStepTest, TriesAllRejectedRowsAgain) {
  Begin();
  Pull("");
  for (const char* row_key : {"1", "2"}) {
    Given(Insert("Todos", R"({"PartitionKey":"p","RowKey":")" +
                              std::string(row_key) + R"(","A":1})"));
    Refuse(Push());
  }
  EXPECT_EQ(MemberOf(Push(), "number"), "");

  EXPECT_EQ(MemberOf(Take("retry"), "place"), "");

  EXPECT_EQ(Count(Pending(), R"("isRejected":false,"partitionKey")"), 2);
  EXPECT_EQ(Count(Pending(), "No."), 0);
  const std::string push = Push();
  EXPECT_NE(push.find(R"(\"RowKey\":\"1\")"), std::string::npos) << push;
}

TEST_F(SyncStepTest, RefusesArgumentsThatItDoesNotKnow) {
  EXPECT_EQ(Do(SyncStepOf("Todos", "jump")), "400 InvalidInput");
  EXPECT_EQ(Do(SyncStepOf("Todos", "start", R"("what":1)")),
            "400 InvalidInput");
  EXPECT_EQ(Do(SyncStepOf("Todos", "adopt")), "400 InvalidInput");
  EXPECT_EQ(Do(SyncStepOf("Nothing", "start")), "404 TableNotFound");
}

TEST_F(SyncStepTest, TellsFollowersWhoHasChangedARow) {
  Begin();
  std::uint64_t position = Position();
  Pull(RemoteRow("2", 5, 1));
  EXPECT_EQ(ChangedSince(position), "remote 2");

  position = Position();
  Given(Insert("Todos", kEntity));
  EXPECT_EQ(ChangedSince(position), "local 1");

  // A push changes no row.
  position = Position();
  Complete(Push(), Success(3));
  EXPECT_EQ(Pending().find("rowKeys"), std::string::npos);
  const RequestId request = host_.Submit(Changes(position));
  Given(Delete("Todos", "p", "2"));
  EXPECT_EQ(Outcome(host_.Await(request)), "200");
  EXPECT_EQ(ChangedSince(position), "local 2");
}

TEST_F(SyncStepTest, TellsOfTheLastChangeOfARow) {
  Begin();
  const std::uint64_t position = Position();
  Pull(RemoteRow("1", 5, 1) + "," + RemoteRow("2", 5, 1));
  Given(Replace("Todos", "p", "1", R"({"A":2})", {.if_match = "*"}));
  Given(Insert("Todos", R"({"PartitionKey":"p","RowKey":"3","A":1})"));
  EXPECT_EQ(ChangedSince(position), "local 3, local 1, remote 2");
}

TEST_F(SyncStepTest, TellsOfDeletionsOfTheRemote) {
  Begin();
  Pull(RemoteRow("1", 5, 1));
  const std::uint64_t position = Position();
  const std::string asked = Take("ask");
  Take("takeRow",
       AskedOf(asked) + R"(,"partitionKey":"p","rowKey":"1","absent":true)");
  EXPECT_EQ(ChangedSince(position), "remote 1");
}

TEST_F(SyncStepTest, TellsApartTheWritesOfOneCommit) {
  Begin();
  const std::uint64_t position = Position();
  const std::string next = Take("nextPull");
  const auto records = host_.storage().values().size();
  const RequestId local = host_.Submit(Insert("Todos", kEntity));
  const RequestId pull = host_.Submit(
      SyncStepOf("Todos", "applyPage", AskedOf(next) + ",\"position\":0",
                 {R"({"value":[)" + RemoteRow("2", 5, 1) + "]}"}));
  EXPECT_EQ(Outcome(host_.Await(local)), "201");
  EXPECT_EQ(Outcome(host_.Await(pull)), "200");
  EXPECT_EQ(host_.storage().values().size(), records + 1);
  EXPECT_EQ(ChangedSince(position), "remote 2, local 1");
}

TEST_F(SyncStepTest, TellsOfDiscardedWritesAsLocal) {
  Begin();
  Pull(RemoteRow("1", 5, 1));
  Given(Replace("Todos", "p", "1", R"({"A":2})", {.if_match = "*"}));
  const std::uint64_t position = Position();
  Take("discard", R"("partitionKey":"p","rowKey":"1")");
  EXPECT_EQ(ChangedSince(position), "local 1");
  EXPECT_EQ(Stored("Todos", "p", "1"), "\"A\":5");
}

TEST_F(SyncStepTest, RefusesRowsThatBreakTheSchemaOfTheTable) {
  Begin();
  SetMaximum(4);
  Pull("");
  std::string next = Take("nextPull");
  const std::string refused =
      Take("applyPage",
           AskedOf(next) + ",\"position\":" + MemberOf(next, "position"),
           {R"({"value":[)" + RemoteRow("1", 5, 1) + "," +
            RemoteRow("2", 4, 1) + "]}"});
  EXPECT_NE(
      refused.find(
          R"("refused":[{"partitionKey":"p","rowKey":"1","reason":)"
          R"("Property \"A\" holds 5; the maximum of the schema is 4."}])"),
      std::string::npos)
      << refused;
  EXPECT_EQ(MemberOf(refused, "changed"), "1");
  EXPECT_EQ(Stored("Todos", "p", "2"), "\"A\":4");

  // Not as long as the schema is the same, also after a restart.
  host_.Restart();
  EXPECT_NE(MemberOf(Take("nextPull"), "from"), "");
  SetMaximum(5);
  EXPECT_EQ(MemberOf(Take("nextPull"), "from"), "");
  Pull(RemoteRow("1", 5, 1));
  EXPECT_EQ(Stored("Todos", "p", "1"), "\"A\":5");
}

TEST_F(SyncStepTest, RefusesARowThatIsReadByItself) {
  Begin();
  Pull("");
  SetMaximum(4);
  const std::string asked = Take("ask");
  const std::string taken =
      Take("takeRow", AskedOf(asked) + R"(,"partitionKey":"p","rowKey":"1")",
           {RemoteRow("1", 5, 1)});
  EXPECT_NE(taken.find("the maximum of the schema is 4"), std::string::npos);
  EXPECT_EQ(Do(Get("Todos", "p", "1")), "404 ResourceNotFound");
}

TEST_F(SyncStepTest, PushesInTheOrderOfTheFirstChanges) {
  Begin();
  Pull("");
  Given(Insert("Todos", R"({"PartitionKey":"q","RowKey":"1","A":1})"));
  Given(Insert("Todos", R"({"PartitionKey":"p","RowKey":"2","A":1})"));
  Given(Insert("Todos", R"({"PartitionKey":"p","RowKey":"1","A":1})"));
  const std::string status = Take("status");
  EXPECT_NE(status.find(R"("partitions":["q","p"])"), std::string::npos)
      << status;
  const std::string push = Push();
  EXPECT_NE(push.find(R"("rowKeys":["2","1"])"), std::string::npos) << push;
}

// A transaction of the account is marked group by group: of one partition, and
// in the order of its writes.
TEST_F(SyncStepTest, MarksTheWritesOfATransactionOfTheAccount) {
  Begin();
  Pull(RemoteRow("1", 1, 1));
  const auto row = [](const std::string& partition, const std::string& key) {
    return Insert("Todos", EntityBody(partition, key, R"("A":2)"));
  };

  Given(AccountTransaction(
      {row("p", "2"), Merge("Todos", "p", "1", R"({"A":2})"), row("q", "3"),
       Merge("Todos", "p", "2", R"({"A":3})", {.if_match = "*"})}));

  const std::string pending = Pending();
  EXPECT_EQ(Count(pending, "partitionKey"), 2) << pending;
  const std::string push = Push();
  EXPECT_EQ(Count(push, "POST "), 1) << push;
  EXPECT_NE(push.find(R"(\"A\":3)"), std::string::npos) << push;
  EXPECT_NE(push.find(R"(\"A\":2)"), std::string::npos) << push;
}

TEST_F(SyncStepTest, HasAPositionForEachPartition) {
  Begin();
  const std::string next = Take("nextPull", R"("scope":"p")");
  Take("applyPage",
       AskedOf(next) +
           R"(,"scope":"p","position":0,"date":"638397614456780000")",
       {R"({"value":[]})"});
  EXPECT_NE(MemberOf(Take("nextPull", R"("scope":"p")"), "from"), "");
  EXPECT_EQ(MemberOf(Take("nextPull", R"("scope":"q")"), "from"), "");
  EXPECT_EQ(MemberOf(Take("nextPull"), "from"), "");
}

// Then every base counts as changed.
TEST_F(SyncStepTest, DropsAnAnswerFromBeforeTheChangesThatAreKnown) {
  Given(NewTable("Other"));
  Begin();
  Pull(RemoteRow("1", 5, 1));
  const std::string asked = Take("ask");
  Take("takeRow", AskedOf(Take("ask")) + R"(,"partitionKey":"p","rowKey":"1")",
       {RemoteRow("1", 6, 2)});
  for (int i = 0; i < 200; ++i) {
    Given(
        Insert("Other", EntityBody(std::string(900, 'k'), std::to_string(i))));
  }
  Take("takeRow", AskedOf(asked) + R"(,"partitionKey":"p","rowKey":"1")",
       {RemoteRow("1", 5, 1)});
  EXPECT_EQ(Stored("Todos", "p", "1"), "\"A\":6");
}

TEST_F(SyncStepTest, FindsRowsMissingInsideTheScopeAlone) {
  Begin();
  std::string other = RemoteRow("1", 5, 1);
  other.replace(other.find(R"("p")"), 3, R"("q")");
  Pull(RemoteRow("1", 5, 1) + "," + other);
  const std::string found =
      Take("compare",
           AskedOf(Take("ask")) +
               R"(,"scope":"p","end":true,"date":"638397614456780000")",
           {R"({"value":[]})"});
  EXPECT_NE(found.find(R"("doubtful":[["p","1"]])"), std::string::npos)
      << found;
}

TEST_F(SyncStepTest, AsksTheAppAndTakesItsDecision) {
  Begin();
  Pull(RemoteRow("1", 5, 1));
  Given(Replace("Todos", "p", "1", R"({"A":6})", {.if_match = "*"}));
  const std::string next = Take("nextPull");
  const std::string given = AskedOf(next) +
                            ",\"position\":" + MemberOf(next, "position") +
                            R"(,"date":"638397614456780000","conflict":"ask")";
  const std::vector<std::string> page = {R"({"value":[)" +
                                         RemoteRow("1", 7, 2) + "]}"};
  const std::string asked = Take("applyPage", given, page);
  EXPECT_NE(asked.find(R"("local":{)"), std::string::npos) << asked;
  EXPECT_EQ(Stored("Todos", "p", "1"), "\"A\":6");
  Take("applyPage",
       given + R"(,"decisions":"{\"of\":\")" +
           MemberOf(asked, "of").substr(1, MemberOf(asked, "of").size() - 2) +
           R"(\"}\n{\"PartitionKey\":\"p\",\"RowKey\":\"1\",\"A\":8}\n")",
       page);
  EXPECT_EQ(Stored("Todos", "p", "1"), "\"A\":8");
  const std::string stored = Take("conflicts");
  EXPECT_NE(stored.find(R"("base":{)"), std::string::npos) << stored;
  Take("confirm", "\"number\":" + MemberOf(stored, "id"));
  EXPECT_EQ(MemberOf(Take("conflicts"), "id"), "");
}

}  // namespace
}  // namespace entitable
