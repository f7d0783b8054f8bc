// run_writer.h - writes rows and pages in key order as a sorted run.

#ifndef ENTITABLE_STORE_RUN_WRITER_H_
#define ENTITABLE_STORE_RUN_WRITER_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "entitable/limits.h"
#include "entitable/storage.h"
#include "store/directory_page.h"
#include "store/leaf_builder.h"

namespace entitable {

class RunWriter {
 public:
  // Takes page ids from `next_page` on and puts the pages into `batch`.
  RunWriter(const StoreLimits& limits, PageId& next_page, Batch& batch)
      : limits_(limits),
        next_page_(next_page),
        batch_(batch),
        builder_(limits.page_bytes) {}

  // Continues an existing directory page behind its leaf pages.  Finish()
  // writes that directory page again.
  void Continue(std::vector<PageEntry> leaves);

  // Keys must ascend.  A row is what a LeafBuilder takes.
  template <typename Row>
  void Add(std::string_view sort_key, const Row& row) {
    LeaveCatalogue(sort_key);
    if (builder_.Add(sort_key, row)) return;
    FinishLeaf();
    builder_.Add(sort_key, row);
  }
  void AddTombstone(std::string_view sort_key);

  // Adds a leaf page that is already stored, unchanged.
  void AddPage(const PageEntry& leaf);

  // The size of the unfinished leaf page; 0 if there is none.
  std::size_t open_bytes() const { return builder_.approximate_bytes(); }

  // The size and number of the pages in the batch.
  std::size_t written_bytes() const { return written_bytes_; }
  std::size_t written_pages() const { return written_pages_; }

  // Returns the entries of the directory pages that were written.
  std::vector<PageEntry> Finish();

  // The last key that was added to this writer.
  const std::string& last_key() const { return last_key_; }

 private:
  void LeaveCatalogue(std::string_view sort_key);
  void FinishLeaf();
  void FinishDirectory();
  PageId Write(Bytes value);

  const StoreLimits& limits_;
  PageId& next_page_;
  Batch& batch_;
  LeafBuilder builder_;
  bool is_in_catalogue_ = true;    // Until another row comes.
  std::vector<PageEntry> leaves_;  // Of the unfinished directory page.
  std::size_t leaves_bytes_ = 0;
  std::vector<PageEntry> directories_;
  std::string last_key_;
  std::size_t written_bytes_ = 0;
  std::size_t written_pages_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_RUN_WRITER_H_
