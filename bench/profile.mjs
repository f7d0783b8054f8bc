// profile.mjs - measures how a page spends its time, with the sampling profiler of the browser.

const INTERVAL_US = 100;

/** The parts, in the order of the report. */
export const PARTS = {
  module: 'module',
  script: 'script',
  browser: "browser's functions",
  garbage: 'garbage collection',
  waiting: 'waiting',
};

/**
 * Returns the share of each of `PARTS` in the time of `work`, from 0 to 1.
 *
 * @param session - the session of the page in the browser's protocol.
 * @param isOurs - checks by the address of its script and its name whether a function belongs to
 * Entitable. The time of the benchmark, and of the browser functions that it calls, is not counted.
 */
export async function sharesOf(session, work, isOurs) {
  await session.send('Profiler.enable');
  await session.send('Profiler.setSamplingInterval', { interval: INTERVAL_US });
  await session.send('Profiler.start');
  await work();
  const { profile } = await session.send('Profiler.stop');
  return shares(profile, isOurs);
}

function shares({ nodes, samples, timeDeltas }, isOurs) {
  const parts = partsOf(nodes, isOurs);
  const times = Object.fromEntries(Object.keys(PARTS).map((part) => [part, 0]));
  samples.forEach((node, at) => {
    if (parts.get(node)) times[parts.get(node)] += timeDeltas[at];
  });
  const total = Object.values(times).reduce((sum, time) => sum + time);
  return Object.fromEntries(Object.entries(times).map(([part, time]) => [part, time / total]));
}

// Each node of the call tree. Parents come before their children.
function partsOf(nodes, isOurs) {
  const parts = new Map();
  const parents = new Map();
  for (const { id, callFrame, children = [] } of nodes) {
    parts.set(id, partOf(callFrame, parts.get(parents.get(id)), isOurs));
    for (const child of children) parents.set(child, id);
  }
  return parts;
}

function partOf({ url, functionName }, partOfCaller, isOurs) {
  if (functionName === '(garbage collector)') return 'garbage';
  if (functionName === '(idle)') return 'waiting';
  if (functionName === '(program)') return 'browser';
  if (url.endsWith('.wasm')) return 'module';
  if (url) return isOurs(url, functionName) ? 'script' : undefined;
  return partOfCaller && 'browser';
}
