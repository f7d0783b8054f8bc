// timing.js - measures times.

// A loop ends after this time, and reports the calls up to then: thousands of short ones.
const LOOP_MS = 3000;
// Long calls are too few for a median in that time.
const LEAST_CALLS = 3;

// A warm-up has one call, and more as long as they fit into this time. Browsers first run code
// slowly, and later compile what runs often for speed.
const WARM_UP_MS = 2000;

/** The element at a part of the sorted list: 0.5 is the median. */
export function quantile(list, part) {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
}

/** In milliseconds. */
export async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/**
 * Does the same as what is measured next, again and again, so that its code is compiled; only once
 * if the command says so.
 */
export async function warmUp(inputs, work, { isCold }) {
  const start = performance.now();
  let done = 0;
  let last;
  do {
    last = await timed(() => work(inputs[done++ % inputs.length]));
  } while (!isCold && performance.now() - start + last < WARM_UP_MS);
}

const SCANS = 5;

/** The median time of a call that works on all entities, in milliseconds. */
export async function medianMs(work, command) {
  await warmUp([0], work, command);
  return quantile(await timesOf(Array(SCANS).fill(0), work), 0.5);
}

/** The time of each call of `work`, one after another, for `LOOP_MS` or `LEAST_CALLS`. */
export async function timesOf(inputs, work) {
  const times = [];
  const start = performance.now();
  for (const input of inputs) {
    const before = performance.now();
    await work(input);
    times.push(performance.now() - before);
    if (performance.now() - start > LOOP_MS && times.length >= LEAST_CALLS) break;
  }
  return times;
}

/** The mean time of a call that is too short to measure, in microseconds. */
export async function meanMicroseconds(inputs, work) {
  const start = performance.now();
  let done = 0;
  for (const input of inputs) {
    await work(input);
    done++;
    if (performance.now() - start > LOOP_MS) break;
  }
  return ((performance.now() - start) / done) * 1000;
}
