#include "engine/staging.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace entitable {
namespace {

// What a change takes in a record besides its key and properties, rounded up.
constexpr std::size_t kChangeOverhead = 32;

std::size_t ApproximateBytes(const Change& change) {
  const auto* put = std::get_if<EntityPut>(&change);
  if (put == nullptr) return kChangeOverhead;
  return kChangeOverhead + put->key.partition_key.size() +
         put->key.row_key.size() + put->entity.properties.bytes().size();
}

}  // namespace

Staging::Staging(const AccountState& state)
    : state_(state), last_timestamp_(state.last_timestamp()) {}

const Catalogue& Staging::catalogue() const {
  return catalogue_ ? *catalogue_ : state_.catalogue();
}

const Table* Staging::FindTable(std::string_view name) const {
  return catalogue().Find(name);
}

const Entity* Staging::FindEntity(TableId table, EntityKeyView key) const {
  if (!entities_.empty()) {
    const auto staged = entities_.find(
        {table, {std::string(key.partition_key), std::string(key.row_key)}});
    if (staged != entities_.end()) {
      const auto* put = std::get_if<EntityPut>(&changes_[staged->second]);
      return put == nullptr ? nullptr : &put->entity;
    }
  }
  return state_.entities().Find(table, key);
}

DateTime Staging::NextTimestamp(DateTime now) const {
  return std::max(now, DateTime{last_timestamp_.ticks + 1});
}

void Staging::Stage(std::vector<Change> changes, DateTime timestamp) {
  last_timestamp_ = std::max(last_timestamp_, timestamp);
  for (Change& change : changes) {
    approximate_bytes_ += ApproximateBytes(change);
    changes_.push_back(std::move(change));
    Note(changes_.size() - 1);
  }
}

// Makes the change visible to the requests that follow in the same commit.
void Staging::Note(std::size_t index) {
  const Change& change = changes_[index];
  if (const auto* put = std::get_if<EntityPut>(&change)) {
    entities_.insert_or_assign({put->table, put->key}, index);
  } else if (const auto* deleted = std::get_if<EntityDeleted>(&change)) {
    entities_.insert_or_assign({deleted->table, deleted->key}, index);
  } else {
    if (!catalogue_) catalogue_ = state_.catalogue();
    if (const auto* created = std::get_if<TableCreated>(&change)) {
      catalogue_->Create(created->table, created->name);
    } else {
      catalogue_->Drop(std::get<TableDropped>(change).table);
    }
  }
}

}  // namespace entitable
