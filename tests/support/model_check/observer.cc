#include "support/model_check/observer.h"

#include <optional>
#include <variant>

#include "support/make_engine.h"
#include "support/model_check/feed.h"
#include "support/operations.h"

namespace entitable::model_check {
namespace {

class Observer {
 public:
  explicit Observer(const MemoryStorage& storage)
      : storage_(storage),
        engine_(MakeEngine({.session = {0xFF}, .new_store_id = {0xFF}})) {}

  Result<Response> Do(const Result<Operation>& operation) {
    const RequestId id = SubmitTo(engine_, operation);
    for (;;) {
      Step step = engine_.Run(0);
      if (auto* answer = std::get_if<Answer>(&step)) {
        if (answer->request == id) return std::move(answer->outcome);
      } else if (const auto* read = std::get_if<Read>(&step)) {
        engine_.Supply(read->id, (copy_ ? *copy_ : storage_).Load(*read));
      } else if (const auto* commit = std::get_if<Commit>(&step)) {
        if (!copy_) copy_ = storage_;
        const bool is_stored = copy_->Store(commit->batch);
        engine_.Complete(
            commit->id, is_stored ? CommitOutcome::kOk : CommitOutcome::kMoved);
      } else {
        return Fail(ErrorCode::kInternalError, "No answer.");
      }
    }
  }

 private:
  const MemoryStorage& storage_;
  std::optional<MemoryStorage> copy_;  // From its first commit on.
  Engine engine_;
};

std::expected<Entities, std::string> EntitiesOf(Observer& observer,
                                                const std::string& table) {
  Entities entities;
  OwnedOperation query = Query(table);
  for (;;) {
    const auto page = observer.Do(query);
    if (!page) return std::unexpected(page.error().message);
    for (auto& [key, entity] : EntitiesIn(page->body)) {
      entities.insert_or_assign(std::move(key), std::move(entity));
    }
    if (!page->next_partition_key) return entities;
    query.with.next_partition_key = page->next_partition_key;
    query.with.next_row_key = page->next_row_key;
  }
}

}  // namespace

std::expected<State, std::string> Observe(const MemoryStorage& storage) {
  State state;
  Observer observer(storage);
  const auto tables = observer.Do(ListTables());
  if (!tables) return std::unexpected(tables.error().message);
  for (const std::string& table : TextsOf("TableName", tables->body)) {
    auto entities = EntitiesOf(observer, table);
    if (!entities) return std::unexpected(std::move(entities).error());
    state.emplace(table, *std::move(entities));
  }
  return state;
}

}  // namespace entitable::model_check
