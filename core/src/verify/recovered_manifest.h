// recovered_manifest.h - a log and a root for the pages that can be read.

#ifndef ENTITABLE_VERIFY_RECOVERED_MANIFEST_H_
#define ENTITABLE_VERIFY_RECOVERED_MANIFEST_H_

#include <vector>

#include "entitable/engine.h"
#include "verify/log_verifier.h"
#include "verify/page_verifier.h"

namespace entitable {

// See Survey::TakeRecovered().  `names`: those that it gave to tables itself.
std::vector<Put> RecoverManifest(VerifiedLog log, PageVerifier& pages,
                                 VerifiedTables& tables,
                                 std::vector<Finding>& findings,
                                 std::vector<std::string>& names);

}  // namespace entitable

#endif  // ENTITABLE_VERIFY_RECOVERED_MANIFEST_H_
