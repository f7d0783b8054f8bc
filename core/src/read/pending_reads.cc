#include "read/pending_reads.h"

namespace entitable {
namespace {

bool RemoveFrom(PendingReads::List& list, RequestId id) {
  return std::erase_if(
             list, [id](const PendingRead& read) { return read.id == id; }) > 0;
}

}  // namespace

bool PendingReads::is_empty() const {
  return awaiting_refresh.empty() && ready.empty() && paused.empty() &&
         waiting.empty() && idle.empty();
}

void PendingReads::Wake(const RecentChanges::Touched& touched) {
  const auto wake = [&](List& list) {
    for (PendingRead& read : list) read.query->SkipTo(touched.after);
    ready.splice(ready.end(), list);
  };
  if (touched.are_all) {
    for (auto& [table, list] : idle) wake(list);
    return idle.clear();
  }
  for (const TableId table : touched.tables) {
    const auto found = idle.find(table);
    if (found == idle.end()) continue;
    wake(found->second);
    idle.erase(found);
  }
}

bool PendingReads::Remove(RequestId id) {
  for (List* list : {&ready, &waiting, &paused, &awaiting_refresh}) {
    if (RemoveFrom(*list, id)) return true;
  }
  for (auto at = idle.begin(); at != idle.end(); ++at) {
    if (!RemoveFrom(at->second, id)) continue;
    if (at->second.empty()) idle.erase(at);
    return true;
  }
  return false;
}

PendingReads::List PendingReads::TakeAwaitingRefresh(std::uint64_t refresh) {
  List taken;
  while (!awaiting_refresh.empty() &&
         awaiting_refresh.front().refresh <= refresh) {
    taken.splice(taken.end(), awaiting_refresh, awaiting_refresh.begin());
  }
  return taken;
}

PendingReads::List PendingReads::TakeAll() {
  List all;
  for (List* list : {&awaiting_refresh, &ready, &paused, &waiting}) {
    all.splice(all.end(), *list);
  }
  for (auto& [table, list] : idle) all.splice(all.end(), list);
  idle.clear();
  return all;
}

}  // namespace entitable
