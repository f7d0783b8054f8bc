// archive.h - whole accounts as archives, as any host can write and read them.

#ifndef ENTITABLE_TESTS_SUPPORT_ARCHIVE_H_
#define ENTITABLE_TESTS_SUPPORT_ARCHIVE_H_

#include <cstddef>
#include <string>

#include "entitable/result.h"
#include "support/memory_host.h"

namespace entitable {

// The archive of all that the account has; fails with the first thing that
// cannot be read.
Result<std::string> ExportAll(MemoryHost& host);

// Hands an archive in, a part at a time; the answer to the last one that was
// answered.
Result<Response> ImportAll(MemoryHost& host, const std::string& archive,
                           std::size_t part_size = std::size_t{1} << 18);

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_ARCHIVE_H_
