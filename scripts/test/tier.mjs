// tier.mjs - which of the two tiers of tests runs.
//
// - `npm test`: every fault that a test can find is looked for once.
// - `npm run test:all`: the whole matrix of environments, engines, bundlers and compilers, with
//   more rounds of what is random.

/** Whether the whole matrix runs. */
export const isWhole = () => process.env.ENTITABLE_TESTS === 'all';

// The folders of tests/bundlers with a lock file: those of every run, and the others.
const USUAL_TOOLS = ['esbuild', 'rollup', 'vite', 'webpack'];
const OTHER_TOOLS = ['jest', 'next', 'parcel', 'rspack', 'vitest'];

/** The bundlers and test runners of this tier. */
export const TOOLS = isWhole() ? [...USUAL_TOOLS, ...OTHER_TOOLS] : USUAL_TOOLS;

// Of tools in several versions the newest; Rollup only builds the examples of the documentation.
const VARIANTS = {
  ...{ 'vite-5': false, 'vite-6': false, 'vite-7': false, 'vite-8': true },
  rollup: false,
};

/** Whether this tier tests a tool, or a version of one. */
export const isTested = (tool) => isWhole() || (VARIANTS[tool] ?? TOOLS.includes(tool));

/** How often a random test does its work, unless the variable of that name says it. */
export function roundsOf(variable, { usual, whole }) {
  return Number(process.env[variable] ?? (isWhole() ? whole : usual));
}
