#include "support/salvage.h"

#include <utility>

namespace entitable {

SurveyOptions OptionsFor(const MemoryStorage& storage, bool salvages,
                         Listing listing) {
  SurveyOptions options{.salvages = salvages};
  if (listing == Listing::kNone) return options;
  options.pages.emplace();
  for (const auto& [key, value] : storage.values()) {
    if (key.kind == ValueKey::Kind::kPage) options.pages->push_back(key.number);
  }
  return options;
}

void Finish(const MemoryStorage& storage, Survey& survey) {
  while (const auto wanted = survey.Next())
    survey.Supply(storage.Load(*wanted));
}

Survey LookAtAll(const MemoryStorage& storage, Listing listing) {
  Survey survey(OptionsFor(storage, /*salvages=*/false, listing));
  Finish(storage, survey);
  return survey;
}

Salvaged Salvage(const MemoryStorage& storage, Listing listing) {
  Survey survey(OptionsFor(storage, /*salvages=*/true, listing));
  Finish(storage, survey);
  auto saved = std::make_shared<MemoryStorage>();
  for (const auto& [key, value] : storage.values()) {
    if (key.kind == ValueKey::Kind::kPage) saved->values().emplace(key, value);
  }
  for (Put& put : survey.TakeTop()) {
    saved->values().insert_or_assign(put.key, std::move(put.value));
  }
  return {std::move(saved), std::move(survey)};
}

}  // namespace entitable
