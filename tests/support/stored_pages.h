// stored_pages.h - the pages of a storage, as found from the manifest.

#ifndef ENTITABLE_TESTS_SUPPORT_STORED_PAGES_H_
#define ENTITABLE_TESTS_SUPPORT_STORED_PAGES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "support/memory_storage.h"

namespace entitable {

struct StoredPages {
  std::size_t runs = 0;
  std::size_t directories = 0;
  std::size_t leaves = 0;
  std::size_t rows = 0;
  std::size_t bytes = 0;  // Of all values of the storage.

  // What is wrong: pages that are missing, damaged, not what their entry says,
  // or that no entry refers to.
  std::vector<std::string> flaws = {};
};

StoredPages ReadStoredPages(const MemoryStorage& storage);

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_STORED_PAGES_H_
