// Any bytes as the manifest and the directory pages: they are rejected, or
// written again unchanged.  An account that is opened on them works or says
// that they are damaged.

#include <cstddef>
#include <cstdint>

#include "fuzz/expect.h"
#include "store/checkpoint.h"
#include "store/directory_page.h"
#include "store/envelope.h"
#include "store/manifest.h"
#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {
namespace {

void ExpectWorksOrIsDamaged(const Result<Response>& answer) {
  Expect(answer || answer.error().code == ErrorCode::kStorageDamaged ||
             answer.error().code == ErrorCode::kTableNotFound ||
             answer.error().code == ErrorCode::kResourceNotFound,
         "a manifest that says what cannot be is damaged");
}

// Every page that it may name is the directory page, or none.
void ExpectOpens(Manifest manifest, const Bytes& directory) {
  constexpr PageId kPages = 8;
  manifest.store_id = {};
  MemoryHost host;
  host.engine().StopBackgroundWork();
  auto& values = host.storage().values();
  values[ValueKey::Checkpoint()] =
      EncodeCheckpoint({.number = manifest.number,
                        .crc = manifest.crc,
                        .last_timestamp = manifest.last_timestamp,
                        .first_record = manifest.number + 1});
  values[ValueKey::Manifest()] = EncodeManifest(manifest);
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

void TestManifest(BytesView value, const Bytes& directory) {
  const auto manifest = DecodeManifest(value);
  if (!manifest) {
    ExpectDamaged(manifest.error());
    return;
  }
  Expect(EncodeManifest(*manifest) == value, "a manifest has one form");
  ExpectOpens(*manifest, directory);
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
  TestManifest(bytes, SomeDirectory());
  TestDirectory(bytes);
  TestManifest(Seal(kManifestKind, bytes), SomeDirectory());
  TestDirectory(Seal(kDirectoryKind, bytes));
}

}  // namespace entitable
