// The grammar: docs/internals/frames.md.

#include "entitable/frame.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "support/frame_field.h"
#include "support/memory_host.h"
#include "support/operations.h"
#include "support/random.h"

namespace entitable {
namespace {

using std::string_literals::operator""s;

Bytes Head(int kind, int level = 1, int flags = 0) {
  return {static_cast<char>(kind), static_cast<char>(level),
          static_cast<char>(flags)};
}

std::string OutcomeOf(const Bytes& frame) {
  std::vector<TransactionPart> parts;
  const auto operation = DecodeOperation(frame, frame.size(), parts);
  return operation ? "decoded" : Refusal(operation.error());
}

// ---------------------------------------------------------------- operations

// The fields that every kind of operation may need, in an unusual order.
Bytes EveryField() {
  return Field(14, "\0\0\0\0\0\0"s) + Field(12, "body") + Field(15, "17") +
         Field(11, "kk") + Field(10, "jj") + Field(9, "ii") + Field(8, "hh") +
         Field(7, "gg") + Field(6, "ff") + Field(4, "dd") + Field(3, "cc") +
         Field(2, "bb") + Field(1, "aa");
}

// The operation in a frame, which must outlive it.
template <typename T>
T Read(const Bytes& frame) {
  std::vector<TransactionPart> parts;
  const auto operation = DecodeOperation(frame, frame.size(), parts);
  return operation ? std::get<T>(std::get<ReadOperation>(*operation)) : T{};
}

WriteOperation Write(const Bytes& frame) {
  std::vector<TransactionPart> parts;
  const auto operation = DecodeOperation(frame, frame.size(), parts);
  return operation ? std::get<WriteOperation>(*operation) : WriteOperation();
}

template <typename T>
T Part(const Bytes& frame) {
  return std::get<T>(std::get<TransactionPart>(Write(frame)));
}

TEST(OperationFrameTest, SetsTheSchema) {
  const Bytes field = Field(1, "Pets") + Field(16, "s");
  EXPECT_EQ(Part<InsertEntity>(Head(5) + field).schema, "s");
  EXPECT_EQ(Part<UpdateEntity>(Head(8) + field).schema, "s");
  EXPECT_EQ(Part<UpdateEntity>(Head(9) + field).schema, "s");
  EXPECT_EQ(Part<UpdateEntity>(Head(9)).schema, std::nullopt);
  EXPECT_EQ(std::get<SubmitTransaction>(Write(Head(11) + field)).schema, "s");
  EXPECT_EQ(std::get<SetTableSchema>(Write(Head(20) + field)).schema, "s");
  EXPECT_EQ(std::get<SetTableSchema>(Write(Head(20))).schema, "");
  EXPECT_EQ(Read<GetTableSchema>(Head(19) + field).table, "Pets");
}

TEST(OperationFrameTest, SaysWhetherDoublesAreKept) {
  EXPECT_TRUE(Part<UpdateEntity>(Head(8, 1, 16)).keeps_doubles);
  EXPECT_TRUE(Part<UpdateEntity>(Head(9, 1, 17)).keeps_doubles);
  EXPECT_FALSE(Part<UpdateEntity>(Head(9, 1, 1)).keeps_doubles);
  const auto query = Read<QueryEntities>(Head(7, 1, 16 + 4));
  EXPECT_EQ(query.form.format, WireFormat::kValues);
}

TEST(OperationFrameTest, SetsTheDialectOfEveryQuery) {
  const auto extended = FilterDialect::kExtended;
  EXPECT_EQ(Read<QueryEntities>(Head(7)).options.dialect,
            FilterDialect::kService);
  EXPECT_EQ(Read<QueryEntities>(Head(7, 1, 32)).options.dialect, extended);
  EXPECT_EQ(Read<QueryOrdered>(Head(23, 1, 33)).query.options.dialect,
            extended);
  EXPECT_EQ(Read<QueryGroups>(Head(24, 1, 32)).dialect, extended);
  EXPECT_EQ(Read<CountEntities>(Head(12, 1, 32)).dialect, extended);
  EXPECT_EQ(Read<CountEntities>(Head(21, 1, 32)).dialect, extended);
  EXPECT_EQ(Read<AwaitChanges>(Head(14, 1, 32)).dialect, extended);
}

TEST(OperationFrameTest, SetsEveryFieldOfAQuery) {
  const Bytes frame = Head(7, 2, 6) + EveryField();
  const auto query = Read<QueryEntities>(frame);
  EXPECT_EQ(query.table, "aa");
  EXPECT_EQ(query.options.filter, "ff");
  EXPECT_EQ(query.options.select, "gg");
  EXPECT_EQ(query.options.top, "hh");
  EXPECT_EQ(query.next_partition_key, "ii");
  EXPECT_EQ(query.next_row_key, "jj");
  EXPECT_EQ(query.form.level, MetadataLevel::kFull);
  EXPECT_EQ(query.form.format, WireFormat::kValues);
  EXPECT_TRUE(query.fresh);

  const Bytes tables = Head(4) + EveryField();
  EXPECT_EQ(Read<QueryTables>(tables).next_table_name, "kk");
  EXPECT_EQ(Read<AwaitChanges>(Head(14) + EveryField()).position, 17U);
  EXPECT_TRUE(Read<AwaitChanges>(Head(14, 1, 128)).at_once);
}

TEST(OperationFrameTest, SetsEveryFieldOfAQueryInAnOrder) {
  const Bytes frame = Head(23, 2, 6) + Field(20, "nn") + Field(19, "mm") +
                      Field(18, "ll") + EveryField();
  const auto ordered = Read<QueryOrdered>(frame);
  EXPECT_EQ(ordered.query.table, "aa");
  EXPECT_EQ(ordered.query.options.filter, "ff");
  EXPECT_EQ(ordered.query.options.select, "gg");
  EXPECT_EQ(ordered.query.options.top, "hh");
  EXPECT_EQ(ordered.query.next_partition_key, "ii");
  EXPECT_EQ(ordered.query.form.format, WireFormat::kValues);
  EXPECT_EQ(ordered.order_by, "ll");
  EXPECT_EQ(ordered.skip, "mm");
  EXPECT_EQ(ordered.most, "nn");
  EXPECT_TRUE(ordered.fresh);
  EXPECT_FALSE(Read<QueryOrdered>(Head(23)).most.has_value());
}

TEST(OperationFrameTest, SetsWhatATransactionOfTheAccountHasDone) {
  const Bytes write =
      Head(5) + Field(1, "Pets") + Field(16, "s") + Field(12, "body");
  const Bytes fields = Field(24, "\xFF") + Field(15, "17") + Field(13, write);
  std::vector<TransactionPart> parts;
  const auto so_far_of = [&](int kind) {
    parts.clear();
    // Its parts are views.
    static Bytes frame;
    frame = Head(kind) + fields;
    const auto operation = DecodeOperation(frame, frame.size(), parts);
    if (!operation) return TransactionSoFar();
    if (kind == 29) {
      return std::get<SubmitAccountTransaction>(
                 std::get<WriteOperation>(*operation))
          .so_far;
    }
    const auto& read = std::get<ReadOperation>(*operation);
    if (kind == 6) return std::get<GetEntity>(read).so_far;
    if (kind == 7) return std::get<QueryEntities>(read).so_far;
    return std::get<QueryOrdered>(read).query.so_far;
  };
  for (const int kind : {6, 7, 23, 29}) {
    SCOPED_TRACE(kind);
    const TransactionSoFar so_far = so_far_of(kind);
    EXPECT_EQ(so_far.ranges, "\xFF");
    EXPECT_EQ(so_far.position, 17U);
    ASSERT_EQ(so_far.parts.size(), 1U);
    const auto& insert = std::get<InsertEntity>(so_far.parts.front());
    EXPECT_EQ(insert.table, "Pets");
    EXPECT_EQ(insert.schema, "s");
  }
}

TEST(OperationFrameTest, TakesAnyNumberOfPartsForATransactionOfTheAccount) {
  const Bytes write = Head(5) + Field(1, "Pets") + Field(12, "body");
  Bytes fields;
  for (int i = 0; i < 300; ++i) fields += Field(13, write);
  std::vector<TransactionPart> parts;
  const auto count = [&](int kind) {
    parts.clear();
    const Bytes frame = Head(kind) + fields;
    EXPECT_TRUE(DecodeOperation(frame, frame.size(), parts));
    return parts.size();
  };

  EXPECT_EQ(count(29), 300U);
  EXPECT_EQ(count(11), 101U);
}

TEST(OperationFrameTest, SetsEveryFieldOfAChangeByAFilter) {
  const auto change = [](const Bytes& frame) {
    std::vector<TransactionPart> parts;
    const auto operation = DecodeOperation(frame, frame.size(), parts);
    return operation ? std::get<ChangeEntities>(*operation) : ChangeEntities();
  };
  const Bytes frame = Head(28, 1, 2 + 16 + 32) + Field(1, "aa") +
                      Field(4, "*") + Field(6, "ff") + Field(9, "ii") +
                      Field(10, "jj") + Field(12, "body") + Field(16, "s");
  const ChangeEntities merge = change(frame);
  EXPECT_EQ(merge.query.table, "aa");
  EXPECT_EQ(merge.query.options.filter, "ff");
  EXPECT_EQ(merge.query.options.dialect, FilterDialect::kExtended);
  EXPECT_EQ(merge.query.next_partition_key, "ii");
  EXPECT_EQ(merge.query.next_row_key, "jj");
  EXPECT_TRUE(merge.query.fresh);
  const auto& update = std::get<UpdateEntity>(merge.change);
  EXPECT_EQ(update.mode, UpdateMode::kMerge);
  EXPECT_EQ(update.entity.table, "aa");
  EXPECT_EQ(update.body.text, "body");
  EXPECT_EQ(update.schema, "s");
  EXPECT_TRUE(update.keeps_doubles);
  const Bytes bare = Head(27) + Field(1, "aa") + Field(4, "*");
  const ChangeEntities deletion = change(bare);
  EXPECT_EQ(std::get<DeleteEntity>(deletion.change).entity.table, "aa");
  EXPECT_FALSE(deletion.query.fresh);
}

TEST(OperationFrameTest, SetsEveryFieldOfASearch) {
  const Bytes frame =
      Head(25, 1, 70) + Field(22, "nn") + Field(23, "mm") + EveryField();
  const auto search = Read<SearchEntities>(frame);
  EXPECT_EQ(search.query.table, "aa");
  EXPECT_EQ(search.query.options.filter, "ff");
  EXPECT_EQ(search.query.options.select, "gg");
  EXPECT_EQ(search.query.options.top, "hh");
  EXPECT_EQ(search.text, "nn");
  EXPECT_EQ(search.property, "mm");
  EXPECT_TRUE(search.any_word);
  EXPECT_TRUE(search.fresh);
  EXPECT_FALSE(Read<SearchEntities>(Head(25)).any_word);
}

TEST(OperationFrameTest, SetsEveryFieldOfAQueryOfGroups) {
  const Bytes frame =
      Head(24, 1, 6) + Field(21, "nn") + Field(18, "ll") + EveryField();
  const auto groups = Read<QueryGroups>(frame);
  EXPECT_EQ(groups.table, "aa");
  EXPECT_EQ(groups.filter, "ff");
  EXPECT_EQ(groups.group_by, "ll");
  EXPECT_EQ(groups.aggregates, "nn");
  EXPECT_TRUE(groups.fresh);
}

TEST(OperationFrameTest, SetsEveryFieldOfAReadByKey) {
  const Bytes frame = Head(6) + Field(5, "ee") + EveryField();
  const auto get = Read<GetEntity>(frame);
  EXPECT_EQ(get.entity.table, "aa");
  EXPECT_EQ(get.entity.partition_key, "bb");
  EXPECT_EQ(get.entity.row_key, "cc");
  EXPECT_EQ(get.select, "gg");
  EXPECT_EQ(get.if_none_match, "ee");
}

TEST(OperationFrameTest, SetsEveryFieldOfAWrite) {
  const Bytes frame = Head(9) + EveryField();
  const auto update = Part<UpdateEntity>(frame);
  EXPECT_EQ(update.mode, UpdateMode::kMerge);
  EXPECT_EQ(update.entity.table, "aa");
  EXPECT_EQ(update.entity.partition_key, "bb");
  EXPECT_EQ(update.entity.row_key, "cc");
  EXPECT_EQ(update.body.text, "body");
  EXPECT_EQ(update.if_match, "dd");
  EXPECT_EQ(Part<UpdateEntity>(Head(8)).mode, UpdateMode::kReplace);

  const auto insert = Part<InsertEntity>(Head(5, 2, 1));
  EXPECT_EQ(insert.level, MetadataLevel::kFull);
  EXPECT_FALSE(insert.echo);
}

TEST(OperationFrameTest, LeavesUnsetWhatIsNotGiven) {
  const auto get = Read<GetEntity>(Head(6));
  EXPECT_EQ(get.entity.table, "");
  EXPECT_FALSE(get.select.has_value());
  EXPECT_FALSE(get.if_none_match.has_value());
  EXPECT_FALSE(get.fresh);
  EXPECT_TRUE(Read<GetEntity>(Head(6) + Field(7, "")).select.has_value());
  EXPECT_FALSE(Read<AwaitChanges>(Head(14)).position.has_value());
  EXPECT_FALSE(Read<AwaitChanges>(Head(14, 1, 119)).at_once);
  EXPECT_TRUE(Read<AwaitChanges>(Head(14, 1, 119)).fresh);
  EXPECT_FALSE(Part<UpdateEntity>(Head(8)).if_match.has_value());
  EXPECT_TRUE(Part<InsertEntity>(Head(5)).echo);
}

TEST(OperationFrameTest, RefusesWhatIsNoOperation) {
  const struct {
    const char* flaw;
    Bytes frame;
    const char* refusal;
  } kCases[] = {
      {"a delete without a condition", Head(10), "400 InvalidInput"},
      {"an update with If-None-Match", Head(8) + Field(5, "*"),
       "400 InvalidInput"},
      {"an import without its part", Head(13), "400 InvalidInput"},
      {"a read in a transaction",
       Head(11) + Field(13, Head(5)) + Field(13, Head(6)),
       "400 InvalidInput at 1"},
      {"a table in a transaction", Head(11) + Field(13, Head(1)),
       "400 InvalidInput at 0"},
  };
  for (const auto& [flaw, frame, refusal] : kCases) {
    EXPECT_EQ(OutcomeOf(frame), refusal) << flaw;
  }
}

TEST(OperationFrameTest, KnowsEveryKindLevelAndFormat) {
  for (int kind = 1; kind <= 18; ++kind) {
    for (int level = 0; level <= 3; ++level) {
      for (int flags = 0; flags < 3 << 2; ++flags) {
        EXPECT_EQ(OutcomeOf(Head(kind, level, flags) + EveryField()), "decoded")
            << kind << ' ' << level << ' ' << flags;
      }
    }
  }
}

std::vector<TransactionPart> PartsOf(const Bytes& frame) {
  std::vector<TransactionPart> parts;
  const auto operation = DecodeOperation(frame, frame.size(), parts);
  if (!operation) return {};
  const auto& write = std::get<WriteOperation>(*operation);
  EXPECT_EQ(std::get<SubmitTransaction>(write).parts.size(), parts.size());
  return parts;
}

TEST(OperationFrameTest, HoldsTheOperationsOfATransaction) {
  const Bytes frame = Head(11) +
                      Field(13, Head(5) + Field(1, "T") + Field(12, "{}")) +
                      Field(13, Head(10) + Field(4, "*"));

  const auto parts = PartsOf(frame);

  ASSERT_EQ(parts.size(), 2U);
  const auto* insert = std::get_if<InsertEntity>(&parts[0]);
  ASSERT_NE(insert, nullptr);
  EXPECT_EQ(insert->table, "T");
  EXPECT_EQ(insert->body.text, "{}");
  const auto* remove = std::get_if<DeleteEntity>(&parts[1]);
  ASSERT_NE(remove, nullptr);
  EXPECT_EQ(remove->if_match, "*");
}

// A transaction holds at most 100 operations.  An operation takes a few
// hundred bytes, a part of a frame eight, so a frame must not decide how many
// are made.
TEST(OperationFrameTest, DecodesOneOperationTooManyOfATransactionAndNoMore) {
  Bytes frame = Head(11);
  for (int i = 0; i < 100; ++i) frame += Field(13, Head(5));
  EXPECT_EQ(PartsOf(frame).size(), 100U);
  frame += Field(13, Head(5));
  EXPECT_EQ(PartsOf(frame).size(), 101U);
  for (int i = 0; i < 1000; ++i) frame += Field(13, Head(5));
  EXPECT_EQ(PartsOf(frame).size(), 101U);

  MemoryHost host;
  const RequestId request = host.engine().SubmitFrame(frame, frame.size());
  const auto answer = host.Await(request);
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(answer.error().operation, 99U);
}

ImportEntities ImportIn(const Bytes& frame) {
  std::vector<TransactionPart> parts;
  const auto operation = DecodeOperation(frame, frame.size(), parts);
  return operation ? std::get<ImportEntities>(*operation) : ImportEntities{};
}

TEST(OperationFrameTest, SaysOfAPartWhichImportItIsOf) {
  const Bytes frame = Head(13) + Field(1, "Tab") +
                      Field(14, "\x04\x03\x02\x01\x02\x03"s) +
                      Field(12, "[{}]");

  const auto import = ImportIn(frame);
  EXPECT_EQ(import.table, "Tab");
  EXPECT_EQ(import.input.text, "[{}]");
  EXPECT_EQ(import.part.import, 0x01020304U);
  EXPECT_EQ(import.part.mode, ImportMode::kMerge);
  EXPECT_TRUE(import.part.begins);
  EXPECT_TRUE(import.part.ends);
  EXPECT_FALSE(import.part.abandons);

  const Bytes last = Head(13) + Field(14, "\0\0\0\0\0\x04"s);
  EXPECT_TRUE(ImportIn(last).part.abandons);
}

TEST(OperationFrameTest, RefusesWhatIsAgainstTheGrammar) {
  const Bytes part = Field(13, Head(5));
  const struct {
    const char* flaw;
    Bytes frame;
  } kCases[] = {
      {"nothing", ""},
      {"no flags", Head(5).substr(0, 2)},
      {"kind 0", Head(0)},
      {"a merge without a condition", Head(28)},
      {"kind 30", Head(30)},
      {"level 4", Head(5, 4)},
      {"format 3", Head(5, 1, 3 << 2)},
      {"tag 0", Head(5) + Field(0, "")},
      {"tag 25", Head(5) + Field(25, "")},
      {"tag 255", Head(5) + Field(255, "")},
      {"a tag twice", Head(5) + Field(1, "a") + Field(1, "a")},
      {"two steps of sync", Head(22) + Field(17, "{}") + Field(17, "{}")},
      {"two bodies", Head(5) + Field(12, "") + Field(12, "")},
      {"a tag alone", Head(5) + "\x01"},
      {"a length too short", Head(5) + "\x01\x01\0\0"s},
      {"a field past the end", Head(5) + "\x01\x02\0\0\0a"s},
      {"a huge field", Head(5) + "\x01\xFF\xFF\xFF\xFF"s},
      {"a part of an import that is cut off",
       Head(13) + Field(14, "\0\0\0\0\0"s)},
      {"one that is too long", Head(13) + Field(14, "\0\0\0\0\0\0\0"s)},
      {"import mode 4", Head(13) + Field(14, "\0\0\0\0\x04\0"s)},
      {"an unknown flag of an import", Head(13) + Field(14, "\0\0\0\0\0\x08"s)},
      {"a position without digits", Head(14) + Field(15, "")},
      {"a position below 0", Head(14) + Field(15, "-1")},
      {"a position that is no number", Head(14) + Field(15, "x")},
      {"a position with a fraction", Head(14) + Field(15, "1.0")},
      {"a position that is too large",
       Head(14) + Field(15, "99999999999999999999")},
      {"an unreadable part", Head(11) + Field(13, "")},
      {"a part in a part", Head(11) + Field(13, Head(11) + part)},
      {"a part with a schema",
       Head(11) + Field(13, Head(5) + Field(16, "\1\0"s))},
      {"a part of unknown kind", Head(11) + part + Field(13, Head(99))},
  };
  for (const auto& [flaw, frame] : kCases) {
    EXPECT_EQ(OutcomeOf(frame), "400 InvalidInput") << flaw;
  }
}

TEST(OperationFrameTest, RefusesEveryFrameThatIsCutInsideAField) {
  const Bytes frame =
      Head(11) + Field(1, "Tab") + Field(13, Head(5) + Field(12, "{}"));
  int decoded = 0;
  for (std::size_t size = 0; size < frame.size(); ++size) {
    decoded += OutcomeOf(frame.substr(0, size)) == "decoded" ? 1 : 0;
  }
  EXPECT_EQ(decoded, 2);  // After the head, and after the first field.
}

// In a block of the exact size, so that the address sanitizer sees a body that
// is parsed past it.
TEST(OperationFrameTest, IsSubmittedLikeTheOperationItHolds) {
  MemoryHost host;
  const auto submit = [&](const Bytes& frame, std::size_t capacity) {
    const auto block = std::make_unique<char[]>(capacity);
    frame.copy(block.get(), frame.size());
    const RequestId request =
        host.engine().SubmitFrame({block.get(), frame.size()}, capacity);
    return Outcome(host.Await(request));
  };
  const Bytes create = Head(1) + Field(12, R"({"TableName":"Tab"})");
  EXPECT_EQ(submit(create, create.size() + kJsonPadding), "201");
  EXPECT_EQ(submit(create, create.size()), "409 TableAlreadyExists");
  EXPECT_EQ(submit(create.substr(0, 9), 9), "400 InvalidInput");

  const Bytes transaction =
      Head(11) +
      Field(13, Head(5) + Field(1, "Tab") + Field(12, EntityBody("p", "1"))) +
      Field(13, Head(5) + Field(1, "Tab") + Field(12, EntityBody("p", "2")));
  EXPECT_EQ(submit(transaction, transaction.size()), "202");
  EXPECT_EQ(RowKeysOf(host, Query("Tab")),
            (std::vector<std::string>{"1", "2"}));
}

TEST(OperationFrameTest, SurvivesAnyBytes) {
  std::mt19937_64 random(TestSeed());
  SCOPED_TRACE(TestSeed());
  const Bytes sound = Head(11) + Field(1, "Tab") +
                      Field(13, Head(5) + Field(1, "T") + Field(12, "{}"));
  MemoryHost host;
  for (int i = 0; i < 20'000; ++i) {
    Bytes frame = sound;
    for (auto flips = random() % 6; flips > 0; --flips) {
      frame[random() % frame.size()] = static_cast<char>(random() % 16);
    }
    host.engine().SubmitFrame(frame, frame.size());
  }
  host.Run();
}

}  // namespace
}  // namespace entitable
