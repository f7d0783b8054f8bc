// run_writer.h - from rows and pages in key order to a run.

#ifndef ENTITABLE_STORE_RUN_WRITER_H_
#define ENTITABLE_STORE_RUN_WRITER_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "entitable/engine.h"
#include "entitable/page.h"
#include "model/entity.h"
#include "store/directory_page.h"
#include "store/leaf_builder.h"

namespace entitable {

class RunWriter {
 public:
  // Page ids are taken from `next_page` on, and the pages put into `batch`.
  RunWriter(const StoreLimits& limits, PageId& next_page, Batch& batch)
      : limits_(limits),
        next_page_(next_page),
        batch_(batch),
        builder_(limits.page_bytes) {}

  // Goes on behind the leaves of a directory page, which is then replaced.
  void Continue(std::vector<PageEntry> leaves);

  // Keys come in ascending order.
  void Add(std::string_view sort_key, const EntityView& entity);
  void AddTombstone(std::string_view sort_key);

  // Takes a page that is stored already as it is.
  void AddPage(const PageEntry& leaf);

  // Of the leaf page that has been begun; 0 when none has.
  std::size_t open_bytes() const { return builder_.approximate_bytes(); }

  // Of the pages in the batch.
  std::size_t written_bytes() const { return written_bytes_; }
  std::size_t written_pages() const { return written_pages_; }

  // The directory of what was written.
  std::vector<PageEntry> Finish();

  // Of the rows that were added since this writer was made.
  const std::string& last_key() const { return last_key_; }

 private:
  void FinishLeaf();
  void FinishDirectory();
  PageId Write(Bytes value);

  const StoreLimits& limits_;
  PageId& next_page_;
  Batch& batch_;
  LeafBuilder builder_;
  std::vector<PageEntry> leaves_;  // Of the directory page that is open.
  std::size_t leaves_bytes_ = 0;
  std::vector<PageEntry> directories_;
  std::string last_key_;
  std::size_t written_bytes_ = 0;
  std::size_t written_pages_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_RUN_WRITER_H_
