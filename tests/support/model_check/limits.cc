#include "support/model_check/limits.h"

namespace entitable::model_check {

EngineOptions LowestLimits() {
  return {.account = "acct",
          .base_url = "https://acct.table.core.windows.net",
          .store = {.cache_bytes = 0,
                    .flush_records = 1,
                    .page_bytes = 1'500,
                    .step_pages = 1,
                    .import_bytes = 1},
          .work = {.slice_units = 1}};
}

EngineOptions RandomLimits(std::mt19937_64& random) {
  EngineOptions options = LowestLimits();
  options.store.cache_bytes = random() % 4 * 500;
  options.store.flush_records = 1 + random() % 6;
  options.store.page_bytes = 1'500 + random() % 3 * 1'000;
  options.store.step_pages = 1 + random() % 3;
  options.store.import_bytes = 1 + random() % 3 * 400;
  options.store.idle_ms = random() % 3 == 0 ? 20 : 0;
  options.store.long_idle_ms = random() % 3 == 0 ? 40 : 3'600'000;
  if (random() % 2 == 0) options.work.slice_units = 1 + random() % 400;
  return options;
}

}  // namespace entitable::model_check
