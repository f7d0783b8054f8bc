// phases.mjs - how long a run installed, compiled, linked and tested. Phases overlap, because
// builds go on beside tests, and each counts the seconds in which any of its work went on.

// The spans of each phase, in milliseconds of performance.now().
const spans = { install: [], compile: [], link: [], run: [] };

/** Does `work`, as a part of the phase. */
export async function during(phase, work) {
  const start = performance.now();
  try {
    return await work();
  } finally {
    note(phase, start, performance.now());
  }
}

/** Notes a part of a phase that another program has measured. */
export function note(phase, start, end) {
  spans[phase].push([start, end]);
}

/** The seconds of each phase. */
export const secondsOfPhases = () =>
  Object.entries(spans).map(([phase, parts]) => ({ phase, seconds: lengthOf(parts) / 1000 }));

function lengthOf(parts) {
  let length = 0;
  let until = -Infinity;
  for (const [start, end] of parts.toSorted(([a], [b]) => a - b)) {
    length += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return length;
}
