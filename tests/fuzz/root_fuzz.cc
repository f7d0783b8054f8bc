// Any bytes as the root and the directory pages: refused, or written again as
// they were; and an account opened on them works or says that they are damaged.

#include <cstddef>
#include <cstdint>

#include "fuzz/expect.h"
#include "store/directory_page.h"
#include "store/envelope.h"
#include "store/log_base.h"
#include "store/root.h"
#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {
namespace {

void ExpectWorksOrIsDamaged(const Result<Response>& answer) {
  Expect(answer || answer.error().code == ErrorCode::kStorageDamaged ||
             answer.error().code == ErrorCode::kTableNotFound ||
             answer.error().code == ErrorCode::kResourceNotFound,
         "a root that says what cannot be is damaged");
}

// Every page that it may name is the directory page, or none.
void ExpectOpens(Root root, const Bytes& directory) {
  constexpr PageId kPages = 8;
  root.store_id = {};
  MemoryHost host;
  host.engine().StopUpkeep();
  auto& values = host.storage().values();
  values[ValueKey::Base()] =
      EncodeLogBase({.number = root.number,
                     .crc = root.crc,
                     .last_timestamp = root.last_timestamp,
                     .first_record = root.number + 1});
  values[ValueKey::Root()] = EncodeRoot(root);
  for (PageId page = 0; page < kPages; ++page) {
    values[ValueKey::Page(page)] = directory;
  }
  ExpectWorksOrIsDamaged(host.Do(ListTables()));
  ExpectWorksOrIsDamaged(host.Do(Query("Pets")));
  ExpectWorksOrIsDamaged(host.Do(Get("Pets", "p", "r")));
}

Bytes SomeDirectory() {
  DirectoryPage page;
  page.leaves = {{.first_key = {}, .page = 1, .totals = {.rows = 1}}};
  return page.Encode();
}

void TestRoot(BytesView value, const Bytes& directory) {
  const auto root = DecodeRoot(value);
  if (!root) {
    ExpectDamaged(root.error());
    return;
  }
  Expect(EncodeRoot(*root) == value, "a root has one form");
  ExpectOpens(*root, directory);
}

void TestDirectory(BytesView value) {
  const auto page = DirectoryPage::Decode(value);
  if (!page) {
    ExpectDamaged(page.error());
    return;
  }
  Expect(page->Encode() == value, "a directory page has one form");
  const Run run{
      .directories = {{.first_key = {}, .page = 1, .totals = {.rows = 1}}}};
  ExpectOpens({.next_page = 8, .runs = {run}}, Bytes(value));
}

}  // namespace

// Few bytes have the right checksum by chance, so they get it.
void Test(BytesView bytes) {
  TestRoot(bytes, SomeDirectory());
  TestDirectory(bytes);
  TestRoot(Seal(kRootKind, bytes), SomeDirectory());
  TestDirectory(Seal(kDirectoryKind, bytes));
}

}  // namespace entitable
