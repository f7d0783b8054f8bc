// The Verifier: verify.h; docs/internals/store-protocol.md.
//
// ENTITABLE_VERIFIED_STORES: how many random stores have each of their values
// damaged in three ways, by default 6.  To see a failure again:
// ENTITABLE_SEED=<seed> entitable_tests --gtest_filter='Verifier*'

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "entitable/verify.h"
#include "model/names.h"
#include "store/checkpoint.h"
#include "store/directory_page.h"
#include "store/envelope.h"
#include "store/leaf_page.h"
#include "store/log_record.h"
#include "store/manifest.h"
#include "store/sort_key.h"
#include "store/table_row.h"
#include "support/archive.h"
#include "support/memory_host.h"
#include "support/operations.h"
#include "support/random.h"
#include "support/random_store.h"
#include "support/repair.h"

namespace entitable {
namespace {

// ------------------------------------------------------------------ accounts

// Lines by RowKey, by table.
using Account = std::map<std::string, std::map<std::string, std::string>>;

Account AccountOf(const std::string& archive) {
  Account account;
  std::string table;
  for (std::size_t at = 0; at < archive.size();) {
    const std::size_t end = archive.find('\n', at);
    const std::string line = archive.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("{\"TableName\"")) {
      table = TextsOf("TableName", line).front();
      account[table];
    } else if (line.starts_with("{\"PartitionKey\"")) {
      account[table][TextsOf("RowKey", line).front()] = line;
    }
  }
  return account;
}

Result<std::string> ExportOf(const MemoryStorage& storage) {
  MemoryHost reader(std::make_shared<MemoryStorage>(storage), Profile::kDefault,
                    kRandomStoreLimits);
  reader.engine().StopBackgroundWork();
  return ExportAll(reader);
}

std::string TextOf(const Result<std::string>& archive) {
  return archive ? *archive
                 : Refusal(archive.error()) + " " + archive.error().message;
}

// --------------------------------------------------------------- what is lost

// Of which rows and tables a value tells.
struct Touched {
  std::set<std::pair<TableId, std::string>> rows;
  std::set<TableId> tables;
};

void Note(const TableKey& key, const std::map<std::string, TableId>& ids,
          Touched& touched) {
  if (key.table != kCatalogue) {
    touched.rows.insert({key.table, key.key.row_key});
  } else if (const auto id = ids.find(key.key.partition_key); id != ids.end()) {
    touched.tables.insert(id->second);
  }
}

Touched TouchedBy(const Bytes& value,
                  const std::map<std::string, TableId>& ids) {
  Touched touched;
  if (const auto leaf = LeafPage::Decode(value)) {
    std::string key;
    std::string_view rest = leaf->keys().Begin();
    while (KeyBlock::Next(rest, key)) Note(*ParseSortKey(key), ids, touched);
  } else if (const auto record = DecodeLogRecord(value)) {
    for (const Change& change : record->changes) {
      if (const auto* put = std::get_if<EntityPut>(&change)) {
        touched.rows.insert({put->table, put->key.row_key});
      } else if (const auto* gone = std::get_if<EntityDeleted>(&change)) {
        touched.rows.insert({gone->table, gone->key.row_key});
      } else if (!std::holds_alternative<RangeLoaded>(change)) {
        touched.tables.insert(
            std::visit([](const auto& one) { return one.table; }, change));
      }
    }
  }
  return touched;
}

// The contents of leaf pages that a compaction has partly consumed: without a
// manifest, it is unknown which part.
Touched TouchedByCompaction(const MemoryStorage& storage,
                            const std::map<std::string, TableId>& ids) {
  Touched touched;
  const auto manifest =
      DecodeManifest(storage.values().at(ValueKey::Manifest()));
  for (const Run& run : manifest->runs) {
    if (run.begin.empty()) continue;
    for (const PageEntry& above : run.directories) {
      const auto page = DirectoryPage::Decode(
          storage.values().at(ValueKey::Page(above.page)));
      const PageEntry& leaf =
          page->leaves[FindPageEntry(page->leaves, run.begin)];
      const Touched part =
          TouchedBy(storage.values().at(ValueKey::Page(leaf.page)), ids);
      touched.rows.insert(part.rows.begin(), part.rows.end());
      touched.tables.insert(part.tables.begin(), part.tables.end());
    }
  }
  return touched;
}

// The lower-case name of every table that pages or the log tell of.
std::map<std::string, TableId> IdsIn(const MemoryStorage& storage) {
  std::map<std::string, TableId> ids;
  for (const auto& [key, value] : storage.values()) {
    if (const auto record = DecodeLogRecord(value)) {
      for (const Change& change : record->changes) {
        if (const auto* made = std::get_if<TableCreated>(&change)) {
          ids[FoldTableName(made->name)] = made->table;
        } else if (const auto* gone = std::get_if<TableDropped>(&change)) {
          ids[FoldTableName(gone->name)] = gone->table;
        }
      }
    } else if (const auto leaf = LeafPage::Decode(value)) {
      for (std::size_t row = 0; row < leaf->row_count(); ++row) {
        if (leaf->is_tombstone(row)) continue;
        const auto table = ReadTableRow(leaf->EntityOf(row));
        if (table) ids[FoldTableName(table->name)] = table->id;
      }
    }
  }
  return ids;
}

// Everything of which the lost value does not tell is there as it was.
// `may_return`: so may be what was deleted.
void ExpectRepaired(const Account& truth, const Account& saved,
                    const Touched& touched,
                    const std::map<std::string, TableId>& ids,
                    bool may_return) {
  std::set<std::string> expected;
  for (const auto& [name, rows] : truth) {
    const TableId id = ids.at(FoldTableName(name));
    std::string found = name;
    if (!saved.contains(name) && touched.tables.contains(id)) {
      found = "Lost" + std::to_string(id);
      if (rows.empty()) continue;
    }
    expected.insert(found);
    const auto table = saved.find(found);
    const bool has_untouched =
        std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
          return !touched.rows.contains({id, row.first});
        });
    if (table == saved.end()) {
      EXPECT_FALSE(has_untouched) << name << " is not there";
      continue;
    }
    for (const auto& [row_key, line] : rows) {
      if (touched.rows.contains({id, row_key})) continue;
      const auto row = table->second.find(row_key);
      EXPECT_TRUE(row != table->second.end() && row->second == line)
          << name << " " << row_key << " was " << line << " and is "
          << (row == table->second.end() ? "gone" : row->second);
    }
    for (const auto& [row_key, line] : table->second) {
      const bool may_be_there = may_return || rows.contains(row_key) ||
                                touched.rows.contains({id, row_key});
      EXPECT_TRUE(may_be_there) << name << " has " << line;
    }
  }
  for (const auto& [name, rows] : saved) {
    if (expected.contains(name) || may_return) continue;
    const auto id = ids.find(FoldTableName(name));
    EXPECT_TRUE(id != ids.end() ? touched.tables.contains(id->second)
                                : name.starts_with("Lost"))
        << name << " is there";
  }
}

enum class Harm { kFlip, kCut, kRemove };
constexpr Harm kHarms[] = {Harm::kFlip, Harm::kCut, Harm::kRemove};

void Inflict(Harm harm, const ValueKey& key, std::mt19937_64& random,
             MemoryStorage& storage) {
  Bytes& value = storage.values().at(key);
  switch (harm) {
    case Harm::kFlip: {
      // Not of the version: a greater version is a valid newer one.
      std::size_t byte = random() % value.size();
      if (byte == 4) byte = 5;
      value[byte] = static_cast<char>(value[byte] ^ (1 << random() % 8));
      return;
    }
    case Harm::kCut:
      value.resize(random() % value.size());
      return;
    case Harm::kRemove:
      storage.values().erase(key);
      return;
  }
}

// A store without it looks as if it was never written.
bool IsLastRecord(const MemoryStorage& storage, const ValueKey& key) {
  const auto manifest = storage.values().find(ValueKey::Manifest());
  if (manifest != storage.values().end() &&
      key.number <= DecodeManifest(manifest->second)->needs) {
    return false;
  }
  return key.kind == ValueKey::Kind::kRecord &&
         !storage.values().contains(ValueKey::Record(key.number + 1));
}

std::set<std::string> KeysOf(const std::vector<Finding>& findings) {
  std::set<std::string> keys;
  for (const Finding& finding : findings) keys.insert(KeyText(finding.key));
  return keys;
}

std::uint64_t FlushedOf(const MemoryStorage& storage) {
  return DecodeCheckpoint(storage.values().at(ValueKey::Checkpoint()))->number;
}

// --------------------------------------------------------------------- tests

TEST(VerifierTest, FindsNothingWrongWithAStoreThatIsWhole) {
  for (std::size_t i = 0; i < 20; ++i) {
    const std::uint64_t seed = TestSeed() + i;
    SCOPED_TRACE("ENTITABLE_SEED=" + std::to_string(seed));
    const RandomStore store(seed);

    const Verifier verifier = VerifyAll(store.storage());
    EXPECT_EQ(verifier.ToJson(), "{\"findings\":[],\"named\":[]}");
    for (const Listing listing : {Listing::kNone, Listing::kPages}) {
      const Repaired saved = Repair(store.storage(), listing);
      EXPECT_EQ(TextOf(ExportOf(*saved.storage)),
                TextOf(ExportOf(store.storage())));
    }
  }
}

TEST(VerifierTest, FindsNothingInAStoreThatIsEmpty) {
  const MemoryStorage storage;

  EXPECT_EQ(VerifyAll(storage).ToJson(), "{\"findings\":[],\"named\":[]}");
  EXPECT_TRUE(Repair(storage).storage->values().empty());
}

// Whichever value is damaged, and however: the verifier and every reader name
// it, and everything outside of it is recovered.
TEST(VerifierTest, RecoversAllThatIsNotInAValueThatIsDamaged) {
  for (std::size_t i = 0; i < WantedRuns("ENTITABLE_VERIFIED_STORES", 6); ++i) {
    const std::uint64_t seed = TestSeed() + i;
    const RandomStore store(seed);
    const MemoryStorage& sound = store.storage();
    const auto whole = ExportOf(sound);
    ASSERT_TRUE(whole.has_value()) << Refusal(whole.error());
    const Account truth = AccountOf(*whole);
    const auto ids = IdsIn(sound);
    std::mt19937_64 random(seed);
    for (const auto& [key, value] : sound.values()) {
      // Copies of other pages: nothing depends on them.
      if (key == ValueKey::Page(0)) continue;
      for (const Harm harm : kHarms) {
        if (harm == Harm::kRemove && IsLastRecord(sound, key)) continue;
        SCOPED_TRACE("ENTITABLE_SEED=" + std::to_string(seed) + " " +
                     KeyText(key) + " harm " +
                     std::to_string(static_cast<int>(harm)));
        MemoryStorage damaged = sound;
        Inflict(harm, key, random, damaged);

        EXPECT_EQ(KeysOf(VerifyAll(damaged).findings()),
                  std::set<std::string>{KeyText(key)});

        const auto read = ExportOf(damaged);
        if (read) {
          EXPECT_EQ(*read, *whole);
        } else {
          EXPECT_EQ(read.error().code, ErrorCode::kStorageDamaged);
          const bool names_it =
              read.error().message.starts_with(KeyText(key) + ": ") ||
              // A missing log record shows at the next record.
              key.kind == ValueKey::Kind::kRecord;
          EXPECT_TRUE(names_it) << read.error().message;
        }

        const bool is_manifest = key.kind == ValueKey::Kind::kManifest;
        const bool is_in_pages = key.kind == ValueKey::Kind::kRecord &&
                                 key.number <= FlushedOf(sound);
        const Touched touched = is_in_pages   ? Touched()
                                : is_manifest ? TouchedByCompaction(sound, ids)
                                              : TouchedBy(value, ids);
        for (const Listing listing : {Listing::kNone, Listing::kPages}) {
          const Repaired saved = Repair(damaged, listing);
          const auto archive = ExportOf(*saved.storage);
          ASSERT_TRUE(archive.has_value())
              << Refusal(archive.error()) << archive.error().message;
          ExpectRepaired(truth, AccountOf(*archive), touched, ids, is_manifest);
          MemoryHost other;
          const auto imported = ImportAll(other, *archive);
          EXPECT_TRUE(imported.has_value()) << Outcome(imported);
        }
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

// Leaves and records, any number of them.
TEST(VerifierTest, RecoversAllThatIsNotInSeveralValuesThatAreDamaged) {
  for (std::size_t i = 0; i < WantedRuns("ENTITABLE_VERIFIED_STORES", 6); ++i) {
    const std::uint64_t seed = TestSeed() + 1000 + i;
    SCOPED_TRACE("ENTITABLE_SEED=" + std::to_string(seed));
    const RandomStore store(seed);
    const MemoryStorage& sound = store.storage();
    const Account truth = AccountOf(ExportOf(sound).value_or(""));
    const auto ids = IdsIn(sound);
    std::mt19937_64 random(seed);
    for (int round = 0; round < 20; ++round) {
      MemoryStorage damaged = sound;
      Touched touched;
      std::set<std::string> keys;
      for (const auto& [key, value] : sound.values()) {
        const bool is_kind = key.kind == ValueKey::Kind::kRecord ||
                             LeafPage::Decode(value).has_value();
        if (!is_kind || random() % 4 != 0 || IsLastRecord(sound, key)) continue;
        Inflict(kHarms[random() % 3], key, random, damaged);
        keys.insert(KeyText(key));
        if (key.kind == ValueKey::Kind::kRecord &&
            key.number <= FlushedOf(sound)) {
          continue;
        }
        touched.rows.merge(TouchedBy(value, ids).rows);
        touched.tables.merge(TouchedBy(value, ids).tables);
      }

      // Missing records at the end of the log cannot be noticed.
      const auto found = KeysOf(VerifyAll(damaged).findings());
      for (const std::string& key : found) EXPECT_TRUE(keys.contains(key));
      for (const std::string& key : keys) {
        EXPECT_TRUE(found.contains(key) || key.starts_with("log/")) << key;
      }

      const auto archive = ExportOf(*Repair(damaged).storage);
      ASSERT_TRUE(archive.has_value()) << archive.error().message;
      ExpectRepaired(truth, AccountOf(*archive), touched, ids, false);
      if (testing::Test::HasFailure()) return;
    }
  }
}

// Nothing but leaf pages is left.
TEST(VerifierTest, RecoversWhatIsInPagesThatNoManifestNames) {
  const RandomStore store(TestSeed());
  SCOPED_TRACE("ENTITABLE_SEED=" + std::to_string(TestSeed()));
  MemoryStorage damaged = store.storage();
  std::size_t live = 0;
  std::erase_if(damaged.values(), [&](const auto& stored) {
    const auto leaf = LeafPage::Decode(stored.second);
    if (!leaf) return true;
    for (std::size_t row = 0; row < leaf->row_count(); ++row) {
      live += leaf->is_tombstone(row) ? 0 : 1;
    }
    return false;
  });

  const auto archive = ExportOf(*Repair(damaged).storage);

  ASSERT_TRUE(archive.has_value()) << archive.error().message;
  EXPECT_EQ(AccountOf(*archive).empty(), live == 0);
}

// An engine changes the store between any two reads of the verifier.
TEST(VerifierTest, VerifiesAStoreThatIsInUse) {
  for (std::size_t i = 0; i < 10; ++i) {
    const std::uint64_t seed = TestSeed() + i;
    SCOPED_TRACE("ENTITABLE_SEED=" + std::to_string(seed));
    std::mt19937_64 random(seed);
    MemoryHost host(
        std::make_shared<MemoryStorage>(RandomStore(seed).storage()),
        Profile::kDefault, kRandomStoreLimits);
    ASSERT_TRUE(host.Do(NewTable("Busy")).has_value());
    Verifier verifier({.repairs = false});
    int writes = 0;
    while (const auto wanted = verifier.Next()) {
      verifier.Supply(host.storage().Load(*wanted));
      if (writes == 200 || random() % 2 == 0) continue;
      ++writes;
      ASSERT_TRUE(host.Do(Replace("Busy", "p", std::to_string(random() % 50),
                                  "{\"N\":1}"))
                      .has_value());
    }
    EXPECT_EQ(verifier.ToJson(), "{\"findings\":[],\"named\":[]}");
  }
}

}  // namespace
}  // namespace entitable
