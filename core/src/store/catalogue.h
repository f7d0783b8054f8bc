// catalogue.h - the tables of the account by name.

#ifndef ENTITABLE_STORE_CATALOGUE_H_
#define ENTITABLE_STORE_CATALOGUE_H_

#include <map>
#include <string>
#include <string_view>

#include "store/change.h"

namespace entitable {

struct Table {
  TableId id;
  std::string name;  // As first written.
};

class Catalogue {
 public:
  // In the order of the folded names, by which they are found.
  using Tables = std::map<std::string, Table, std::less<>>;

  // Null when there is none.  `name` in any case.
  const Table* Find(std::string_view name) const;

  // False, and nothing done, when the id was given before or the name is taken.
  bool Create(TableId id, std::string_view name);

  // False when there is no such table.
  bool Drop(TableId id);

  // The id that the next table gets.
  TableId next_id() const { return next_id_; }

  const Tables& tables() const { return tables_; }

 private:
  Tables tables_;
  TableId next_id_ = 1;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_CATALOGUE_H_
