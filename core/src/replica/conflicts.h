// conflicts.h - lets the app resolve conflicts, between two steps.

#ifndef ENTITABLE_REPLICA_CONFLICTS_H_
#define ENTITABLE_REPLICA_CONFLICTS_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/keyed_hash.h"
#include "replica/sync_request.h"
#include "sync/resolver.h"

namespace entitable {

// ------------------------------------------------------------- asking resolver

// Asks the app, by the answer to the step.  The app's decision comes with the
// next try of the step, and counts if the conflict is still the same.  If the
// request asks no app, its policy decides.
//
// A step cannot wait for an app.  So it ends without a change of the groups in
// conflict, and its answer has their rows.  The host asks the app and takes the
// same step again with the decisions.  A decision names its conflicts by a hash
// of their rows, so it is dropped if one of them has changed since, here or
// remotely.
class AskingResolver final : public sync::Resolver {
 public:
  // The request must outlive this object.
  explicit AskingResolver(const SyncRequest& request)
      : request_(request), policy_(request.policy, request.prefer) {}

  std::vector<sync::Resolution> Resolve(
      std::span<const sync::Conflict> conflicts) override;

  // The groups that the app is to resolve, as a JSON array.
  //
  // It is empty if all conflicts of the step were resolved.
  std::string unresolved() const { return '[' + unresolved_ + ']'; }

 private:
  std::string NameOf(std::span<const sync::Conflict> conflicts) const;
  void AppendGroup(std::string_view name,
                   std::span<const sync::Conflict> conflicts);

  const SyncRequest& request_;
  sync::PolicyResolver policy_;
  KeyedHash hash_{0, 0};  // The same in every tab.
  std::string unresolved_;
};

}  // namespace entitable

#endif  // ENTITABLE_REPLICA_CONFLICTS_H_
