/* tool.h: what the kernprof command uses of the library beyond <lineprof.h>.  */

#ifndef LP_TOOL_H
#define LP_TOOL_H

#include <lineprof.h>

#include "base/error.h"
#include "debug/server.h"
#include "drill.h"
#include "profile/hot.h"
#include "profile/output.h"
#include "profile/profile.h"
#include "report/diff.h"
#include "report/digest.h"
#include "report/put.h"
#include "report/pstats.h"
#include "report/report.h"
#include "report/tree.h"
#include "session.h"

#endif
