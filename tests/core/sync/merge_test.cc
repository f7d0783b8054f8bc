#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/limits.h"
#include "support/sync_rows.h"
#include "sync/resolver.h"

namespace entitable::sync {
namespace {

// Source: sync protocol, section 5, and "sent state" of section 3.
TEST(MergeTest, TakesEachPropertyFromTheSideThatChangedIt) {
  struct Case {
    const char* what;
    RowValue base, local, remote;
    RowValue with_remote, with_local;  // The result, by who is preferred.
  };
  const std::vector<Case> cases = {
      {"changed here", Row({{"A", 1}}), Row({{"A", 2}}), Row({{"A", 1}}),
       Row({{"A", 2}}), Row({{"A", 2}})},
      {"changed there", Row({{"A", 1}}), Row({{"A", 1}}), Row({{"A", 2}}),
       Row({{"A", 2}}), Row({{"A", 2}})},
      {"different properties", Row({{"A", 1}, {"B", 1}}),
       Row({{"A", 2}, {"B", 1}}), Row({{"A", 1}, {"B", 3}}),
       Row({{"A", 2}, {"B", 3}}), Row({{"A", 2}, {"B", 3}})},
      {"the same property", Row({{"A", 1}}), Row({{"A", 2}}), Row({{"A", 3}}),
       Row({{"A", 3}}), Row({{"A", 2}})},
      {"the same value", Row({{"A", 1}}), Row({{"A", 2}}), Row({{"A", 2}}),
       Row({{"A", 2}}), Row({{"A", 2}})},
      {"added on both sides", Row({}), Row({{"A", 1}}), Row({{"B", 2}}),
       Row({{"A", 1}, {"B", 2}}), Row({{"A", 1}, {"B", 2}})},
      {"removed here", Row({{"A", 1}, {"B", 1}}), Row({{"B", 1}}),
       Row({{"A", 1}, {"B", 2}}), Row({{"B", 2}}), Row({{"B", 2}})},
      {"removed there, changed here", Row({{"A", 1}}), Row({{"A", 2}}), Row({}),
       Row({}), Row({{"A", 2}})},
      {"inserted on both sides", kAbsent, Row({{"A", 1}, {"C", 3}}),
       Row({{"A", 2}}), Row({{"A", 2}, {"C", 3}}), Row({{"A", 1}, {"C", 3}})},
      {"edited here, deleted there", Row({{"A", 1}}), Row({{"A", 2}}), kAbsent,
       Row({{"A", 2}}), Row({{"A", 2}})},
      {"deleted here, edited there", Row({{"A", 1}}), kAbsent, Row({{"A", 2}}),
       Row({{"A", 2}}), Row({{"A", 2}})},
      {"deleted here, the same there", Row({{"A", 1}}), kAbsent,
       Row({{"A", 1}}), kAbsent, kAbsent},
      {"deleted on both sides", Row({{"A", 1}}), kAbsent, kAbsent, kAbsent,
       kAbsent},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.what);
    const Sides sides{{"p", "r"}, one.base, one.local, one.remote};
    EXPECT_EQ(TextOf(Merge(sides, Prefer::kRemote)), TextOf(one.with_remote));
    EXPECT_EQ(TextOf(Merge(sides, Prefer::kLocal)), TextOf(one.with_local));
  }
}

TEST(MergeTest, CountsWhatWasSentAsUnchangedRemotely) {
  const RowValue base = Row({{"A", 1}});
  const RowValue local = Row({{"A", 3}});
  const RowValue remote = Row({{"A", 2}, {"B", 9}});
  const std::vector<SentValue> sent = {{.value = Row({{"A", 2}}), .until = {}}};

  EXPECT_EQ(
      TextOf(Merge({{"p", "r"}, base, local, remote, sent}, Prefer::kRemote)),
      "{A=3 B=9 }");
  EXPECT_EQ(TextOf(Merge({{"p", "r"}, base, local, remote}, Prefer::kRemote)),
            "{A=2 B=9 }");
}

TEST(MergeTest, DeletesARowThatOnlyWeHaveEdited) {
  const RowValue base = Row({{"A", 1}});
  const RowValue remote = Row({{"A", 2}});
  const std::vector<SentValue> sent = {{.value = remote, .until = {}}};

  EXPECT_EQ(Merge({{"p", "r"}, base, kAbsent, remote, sent}, Prefer::kRemote),
            kAbsent);
}

TEST(MergeTest, TellsTypesApart) {
  PropertyList text;
  text.Append("A", Value::String(std::string_view("\1\0\0", 3)));
  PropertyList binary;
  binary.Append("A", Value::Binary(std::string_view("\1\0\0", 3)));

  EXPECT_EQ(Merge({{"p", "r"}, text, text, binary}, Prefer::kLocal), binary);
}

// Each part is a digit that is repeated; the last one has one unit.
PropertyList InParts(const std::string& digits, const std::string& other = "") {
  PropertyList row;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const bool is_last = i + 1 == digits.size();
    const std::string text(is_last ? 1 : kMaxStringLength, digits[i]);
    row.Append(i == 0 ? "N" : "N_" + std::to_string(i + 1),
               Value::String(text));
  }
  row.Append("Other", Value::String(other));
  return SortedByName(row);
}

TEST(MergeTest, TakesAllPartsOfAValueFromOneSide) {
  struct Case {
    const char* what;
    RowValue base, local, remote, with_remote, with_local;
  };
  const std::vector<Case> cases = {
      {"different parts", InParts("111"), InParts("121"), InParts("112", "x"),
       InParts("112", "x"), InParts("121", "x")},
      {"shorter here", InParts("111"), InParts("1"), InParts("112"),
       InParts("112"), InParts("1")},
      {"longer here", InParts("1"), InParts("222"), InParts("3"), InParts("3"),
       InParts("222")},
      {"changed here", InParts("111"), InParts("112"), InParts("111", "x"),
       InParts("112", "x"), InParts("112", "x")},
      {"inserted on both sides", kAbsent, InParts("112"), InParts("12"),
       InParts("12"), InParts("112")},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.what);
    const Sides sides{{"p", "r"}, one.base, one.local, one.remote};
    EXPECT_TRUE(Merge(sides, Prefer::kRemote) == one.with_remote);
    EXPECT_TRUE(Merge(sides, Prefer::kLocal) == one.with_local);
  }
}

TEST(MergeTest, KnowsPartsByAFullOneAlone) {
  const RowValue base = Row({{"A", 1}, {"A_2", 1}});
  const RowValue local = Row({{"A", 2}, {"A_2", 1}});
  const RowValue remote = Row({{"A", 1}, {"A_2", 2}});

  EXPECT_EQ(TextOf(Merge({{"p", "r"}, base, local, remote}, Prefer::kRemote)),
            "{A=2 A_2=2 }");
}

TEST(MergeTest, TakesOneSideIfTheResultWouldBreakALimit) {
  PropertyList local;
  PropertyList remote;
  for (int i = 0; i < 200; ++i) {
    local.Append("L" + std::to_string(i), Value::Int32(i));
    remote.Append("R" + std::to_string(i), Value::Int32(i));
  }

  EXPECT_EQ(Merge({{"p", "r"}, kAbsent, local, remote}, Prefer::kRemote),
            remote);
  EXPECT_EQ(Merge({{"p", "r"}, kAbsent, local, remote}, Prefer::kLocal), local);
}

}  // namespace
}  // namespace entitable::sync
