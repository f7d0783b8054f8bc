// saved_top.h - a log and a root for the pages that can be read.

#ifndef ENTITABLE_SURVEY_SAVED_TOP_H_
#define ENTITABLE_SURVEY_SAVED_TOP_H_

#include <vector>

#include "entitable/engine.h"
#include "survey/log_survey.h"
#include "survey/page_survey.h"

namespace entitable {

// See Survey::TakeTop().  `names`: those that it gave to tables itself.
std::vector<Put> MakeTop(SurveyedLog log, PageSurvey& pages,
                         SurveyedTables& tables, std::vector<Finding>& findings,
                         std::vector<std::string>& names);

}  // namespace entitable

#endif  // ENTITABLE_SURVEY_SAVED_TOP_H_
