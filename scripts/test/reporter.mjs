// reporter.mjs - a reporter of Vitest: how each test of each file ended, and how long the file
// took with its imports, in the JSON file that ENTITABLE_REPORT names.

import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

export default class FileReporter {
  onTestRunEnd(modules) {
    const files = modules.map((module) => ({
      file: relative('.', module.moduleId),
      ...countsOf(module),
      seconds: secondsOf(module),
    }));
    writeFileSync(process.env.ENTITABLE_REPORT, `${JSON.stringify(files, undefined, 1)}\n`);
  }
}

// A file that failed as a whole, for example at an import, has no failed test of its own.
function countsOf(module) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const test of module.children.allTests()) {
    const { state } = test.result();
    counts[state === 'pending' ? 'skipped' : state] += 1;
  }
  if (!module.ok() && counts.failed === 0) counts.failed = 1;
  return counts;
}

// Without the time in which the file waited for its turn.
function secondsOf(module) {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return Math.round(collectDuration + setupDuration + duration) / 1000;
}
