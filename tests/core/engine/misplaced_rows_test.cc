// Stores whose values are each valid, but whose rows are out of order across
// pages.  Nothing may be answered from such pages, and no compaction may use
// them.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/checkpoint.h"
#include "store/directory_page.h"
#include "store/envelope.h"
#include "store/leaf_builder.h"
#include "store/leaf_format.h"
#include "store/manifest.h"
#include "store/sort_key.h"
#include "store/table_row.h"
#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {
namespace {

constexpr TableId kTable = 1;

std::string KeyOf(std::string_view row_key) {
  return MakeSortKey(kTable, {"p", row_key});
}

using RowKeys = std::vector<std::string>;

// A store that is written page by page.
class WrittenStore {
 public:
  WrittenStore() {
    const std::string key = TableRowKey("Tab");
    LeafBuilder builder;
    builder.Add(key, MakeTableRow({kTable, "Tab"}));
    AddRun({AddDirectory({AddLeaf(builder)})}, key);
  }

  PageEntry AddLeaf(const RowKeys& row_keys) {
    LeafBuilder builder;
    for (const std::string& row_key : row_keys) {
      const Entity entity{DateTime{1}, PropertyList()};
      builder.Add(KeyOf(row_key), entity);
    }
    return AddLeaf(builder);
  }

  PageEntry AddDirectory(std::vector<PageEntry> leaves) {
    PageEntry entry{.first_key = leaves.front().first_key,
                    .page = manifest_.next_page};
    for (const PageEntry& leaf : leaves) entry.totals += leaf.totals;
    Put(DirectoryPage{std::move(leaves)}.Encode());
    return entry;
  }

  // Behind those that were added before, and older than they are.
  Run& AddRun(std::vector<PageEntry> directories, std::string end) {
    return manifest_.runs.emplace_back(
        Run{.end = std::move(end), .directories = std::move(directories)});
  }

  Bytes& ValueOf(PageId page) {
    return storage_->values().at(ValueKey::Page(page));
  }

  std::shared_ptr<MemoryStorage> Finish() {
    manifest_.version = 1;
    manifest_.next_table = kTable + 1;
    manifest_.last_timestamp = {2};
    auto& values = storage_->values();
    values[ValueKey::Checkpoint()] = EncodeCheckpoint({});
    values[ValueKey::Manifest()] = EncodeManifest(manifest_);
    return storage_;
  }

 private:
  PageEntry AddLeaf(LeafBuilder& builder) {
    const PageId page = manifest_.next_page;
    const Bytes value = builder.Finish();
    const LeafSummary& summary = builder.summary();
    Put(value);
    return {summary.first_key,
            page,
            {summary.row_count, summary.tombstone_count, value.size()},
            summary.zone_map};
  }

  void Put(Bytes value) {
    storage_->values()[ValueKey::Page(manifest_.next_page++)] =
        std::move(value);
  }

  std::shared_ptr<MemoryStorage> storage_ = std::make_shared<MemoryStorage>();
  Manifest manifest_;
};

// As many runs as one compaction takes, and their contents.
std::shared_ptr<MemoryStorage> FinishWith(WrittenStore& store) {
  for (const char* row_key : {"b", "d", "f", "h"}) {
    const PageEntry leaf = store.AddLeaf(RowKeys{row_key});
    store.AddRun({store.AddDirectory({leaf})}, KeyOf(row_key));
  }
  return store.Finish();
}

// The page that is damaged.
void ExpectDamage(const std::shared_ptr<MemoryStorage>& storage, PageId page) {
  const MemoryStorage::Values before = storage->values();
  MemoryHost host(storage);

  const auto answer = host.Do(Query("Tab"));
  host.Run();

  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kStorageDamaged);
  EXPECT_TRUE(
      answer.error().message.starts_with("pages/" + std::to_string(page) + ":"))
      << answer.error().message;
  EXPECT_TRUE(storage->values() == before) << "It was written anew.";
}

TEST(MisplacedRowsTest, AreNoneWhereAllIsInOrder) {
  WrittenStore store;
  const PageEntry first = store.AddDirectory(
      {store.AddLeaf(RowKeys{"a", "c"}), store.AddLeaf(RowKeys{"e", "g"})});
  const PageEntry second = store.AddDirectory({store.AddLeaf(RowKeys{"i"})});
  store.AddRun({first, second}, KeyOf("i"));
  const auto storage = FinishWith(store);
  MemoryHost host(storage);

  const RowKeys all = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
  EXPECT_EQ(RowKeysOf(host, Query("Tab")), all);
  host.Run();

  EXPECT_EQ(
      DecodeManifest(storage->values().at(ValueKey::Manifest()))->runs.size(),
      1U);
  EXPECT_EQ(RowKeysOf(host, Query("Tab")), all);
}

TEST(MisplacedRowsTest, AreFoundWithinAPage) {
  WrittenStore store;
  const PageEntry leaf = store.AddLeaf(RowKeys{"k1", "k3", "k5"});
  store.AddRun({store.AddDirectory({leaf})}, KeyOf("k5"));
  // Of a key the page has what is not shared with the one before.
  Bytes& value = store.ValueOf(leaf.page);
  Bytes body(Unseal(kLeafKind, value)->body);
  const std::size_t last = body.rfind(
      "\x01"
      "5");
  ASSERT_NE(last, Bytes::npos);
  body[last + 1] = '2';
  value = Seal(kLeafKind, body);

  ExpectDamage(FinishWith(store), leaf.page);
}

TEST(MisplacedRowsTest, AreFoundBetweenPagesOfADirectory) {
  WrittenStore store;
  const PageEntry leaf = store.AddLeaf(RowKeys{"a", "x"});
  store.AddRun({store.AddDirectory({leaf, store.AddLeaf(RowKeys{"e", "g"})})},
               KeyOf("x"));

  ExpectDamage(FinishWith(store), leaf.page);
}

// A key may be in only one page of a run.
TEST(MisplacedRowsTest, AreFoundWhereARowIsInTwoPages) {
  WrittenStore store;
  const PageEntry leaf = store.AddLeaf(RowKeys{"a", "e"});
  store.AddRun({store.AddDirectory({leaf, store.AddLeaf(RowKeys{"e", "g"})})},
               KeyOf("g"));

  ExpectDamage(FinishWith(store), leaf.page);
}

TEST(MisplacedRowsTest, AreFoundBetweenPagesOfTwoDirectories) {
  WrittenStore store;
  const PageEntry leaf = store.AddLeaf(RowKeys{"a", "x"});
  store.AddRun({store.AddDirectory({leaf}),
                store.AddDirectory({store.AddLeaf(RowKeys{"e", "g"})})},
               KeyOf("x"));

  ExpectDamage(FinishWith(store), leaf.page);
}

TEST(MisplacedRowsTest, AreFoundBetweenDirectories) {
  WrittenStore store;
  const PageEntry first = store.AddDirectory(
      {store.AddLeaf(RowKeys{"a"}), store.AddLeaf(RowKeys{"x"})});
  store.AddRun({first, store.AddDirectory({store.AddLeaf(RowKeys{"e", "g"})})},
               KeyOf("x"));

  ExpectDamage(FinishWith(store), first.page);
}

TEST(MisplacedRowsTest, AreFoundWhereAPageBeginsWithAnotherRow) {
  WrittenStore store;
  PageEntry leaf = store.AddLeaf(RowKeys{"c", "g"});
  const PageId page = leaf.page;
  leaf.first_key = KeyOf("a");
  store.AddRun({store.AddDirectory({leaf})}, KeyOf("g"));

  ExpectDamage(FinishWith(store), page);
}

TEST(MisplacedRowsTest, AreFoundBehindTheEndOfARun) {
  WrittenStore store;
  const PageEntry leaf = store.AddLeaf(RowKeys{"a", "x"});
  store.AddRun({store.AddDirectory({leaf})}, KeyOf("g"));

  ExpectDamage(FinishWith(store), leaf.page);
}

TEST(MisplacedRowsTest, AreFoundWhereADirectoryGoesBehindTheEndOfARun) {
  WrittenStore store;
  const PageEntry directory = store.AddDirectory(
      {store.AddLeaf(RowKeys{"a"}), store.AddLeaf(RowKeys{"x"})});
  store.AddRun({directory}, KeyOf("g"));

  ExpectDamage(FinishWith(store), directory.page);
}

// Each run is in order, so readers cannot see the fault.  Both read the page,
// and the one that ends first must not take it from the other.
TEST(MisplacedRowsTest, MayBeInTwoRunsAtOnce) {
  WrittenStore store;
  RowKeys rows;
  for (int i = 100; i < 300; ++i) rows.push_back(std::to_string(i));
  const PageEntry shared = store.AddLeaf(rows);
  const PageEntry directory = store.AddDirectory({shared});
  const PageEntry more = store.AddDirectory({store.AddLeaf(RowKeys{"300"})});
  store.AddRun({directory, more}, KeyOf("300"));
  store.AddRun({store.AddDirectory({shared}), more}, KeyOf("300"));
  store.AddRun({directory}, KeyOf("299"));
  // Without room in the cache, and with a pause within the page.
  MemoryHost host(store.Finish(), Profile::kDefault, {.cache_bytes = 0},
                  {.slice_units = 10});
  host.engine().StopBackgroundWork();

  rows.push_back("300");
  EXPECT_EQ(RowKeysOf(host, Query("Tab")), rows);
}

// What a compaction has already written precedes what is left.
TEST(MisplacedRowsTest, AreFoundInTheOutputOfACompaction) {
  WrittenStore store;
  entitable::Run& rest = store.AddRun(
      {store.AddDirectory({store.AddLeaf(RowKeys{"c", "e"})})}, KeyOf("e"));
  rest.role = CompactionRole::kInput;
  rest.begin = KeyOf("c");
  const PageEntry written = store.AddDirectory(
      {store.AddLeaf(RowKeys{"a"}), store.AddLeaf(RowKeys{"d"})});
  store.AddRun({written}, KeyOf("e")).role = CompactionRole::kOutput;
  const auto storage = store.Finish();
  const MemoryStorage::Values before = storage->values();
  MemoryHost host(storage);

  static_cast<void>(host.Do(Get("Tab", "p", "c")));
  host.Run();

  EXPECT_TRUE(storage->values() == before) << "It was written anew.";
}

}  // namespace
}  // namespace entitable
