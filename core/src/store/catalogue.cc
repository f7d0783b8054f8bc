#include "store/catalogue.h"

#include <algorithm>
#include <utility>

#include "model/table_name.h"

namespace entitable {

const Table* Catalogue::Find(std::string_view name) const {
  const auto found = tables_.find(FoldTableName(name));
  return found == tables_.end() ? nullptr : &found->second;
}

bool Catalogue::Create(TableId id, std::string_view name) {
  if (id < next_id_) return false;
  const auto [at, is_new] =
      tables_.try_emplace(FoldTableName(name), Table{id, std::string(name)});
  if (is_new) next_id_ = id + 1;
  return is_new;
}

bool Catalogue::Drop(TableId id) {
  return std::erase_if(tables_, [id](const auto& entry) {
           return entry.second.id == id;
         }) > 0;
}

}  // namespace entitable
