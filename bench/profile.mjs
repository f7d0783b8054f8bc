// profile.mjs - where the time of a page goes, by the sampling profiler of its browser.

const INTERVAL_US = 100;

/** In the order in which the report has them. */
export const PARTS = {
  module: 'module',
  script: 'script',
  browser: "browser's functions",
  garbage: 'garbage collection',
  waiting: 'waiting',
};

/**
 * Returns what share of the time of `work` each of `PARTS` has, from 0 to 1.
 *
 * @param session - of the page, for the browser's protocol.
 * @param isOurs - whether a function, by the address of its script and its name, is not of the
 * benchmark; what is, and what that calls of the browser, is not counted.
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

// Of each node of the tree of calls, in which parents come before their children.
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
