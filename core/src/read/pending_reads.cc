#include "read/pending_reads.h"

#include <iterator>
#include <utility>

namespace entitable {

void PendingReads::Add(PendingRead read, List& to) {
  read.list = &to;
  to.push_back(std::move(read));
  places_.emplace(to.back().id, std::prev(to.end()));
}

void PendingReads::Erase(Place at) {
  places_.erase(at->id);
  at->list->erase(at);
}

void PendingReads::Move(Place at, List& to) {
  to.splice(to.end(), *std::exchange(at->list, &to), at);
}

void PendingReads::MoveAll(List& from, List& to) {
  for (PendingRead& read : from) read.list = &to;
  to.splice(to.end(), from);
}

void PendingReads::Wake(const RecentChanges::Touched& touched) {
  const auto wake = [&](List& list) {
    for (PendingRead& read : list) read.query->SkipTo(touched.after);
    MoveAll(list, ready);
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
  const auto found = places_.find(id);
  if (found == places_.end()) return false;
  const Place at = found->second;
  const List* list = at->list;
  const TableId table = at->query->followed().value_or(kCatalogue);
  Erase(at);
  const auto followers = idle.find(table);
  const bool was_last =
      followers != idle.end() && &followers->second == list && list->empty();
  if (was_last) idle.erase(followers);
  return true;
}

void PendingReads::MoveAwaitingRefresh(std::uint64_t refresh, List& to) {
  while (!awaiting_refresh.empty() &&
         awaiting_refresh.front().refresh <= refresh) {
    Move(awaiting_refresh.begin(), to);
  }
}

void PendingReads::MoveEverything(List& to) {
  for (List* list : {&awaiting_refresh, &ready, &paused, &waiting}) {
    MoveAll(*list, to);
  }
  for (auto& [table, list] : idle) MoveAll(list, to);
  idle.clear();
}

}  // namespace entitable
