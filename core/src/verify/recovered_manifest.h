// recovered_manifest.h - makes a checkpoint, a manifest and a log for the
// values of a damaged store that can be read.

#ifndef ENTITABLE_VERIFY_RECOVERED_MANIFEST_H_
#define ENTITABLE_VERIFY_RECOVERED_MANIFEST_H_

#include <vector>

#include "verify/log_verifier.h"
#include "verify/page_verifier.h"

namespace entitable {

// See Verifier::TakeRecovered().  `names` gets the names that this function
// invents for tables.
//
// The log, and the leaf pages that the verifier has kept, are used up.
std::vector<Put> RecoverManifest(VerifiedLog log, PageVerifier& pages,
                                 VerifiedTables& tables,
                                 std::vector<Finding>& findings,
                                 std::vector<std::string>& names);

}  // namespace entitable

#endif  // ENTITABLE_VERIFY_RECOVERED_MANIFEST_H_
