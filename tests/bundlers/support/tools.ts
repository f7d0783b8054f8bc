// tools.ts - bundlers that several files use in the same way, as far as this tier tests them.

import { isTested, isWhole } from '../../../scripts/test/tier.mjs';

/** With the program of each. */
export const WEBPACKS = [
  ['webpack', 'webpack-cli/bin/cli.js'] as const,
  ['rspack', '@rspack/cli/bin/rspack.js'] as const,
].filter(([tool]) => isTested(tool));

/**
 * The configuration of a webpack for an app in OPFS or with a worker. Minified scripts take it most
 * of its time. In each run, Vite minifies these apps.
 */
export const WEBPACK_CONFIG = `export default {
  entry: './main.js',
  optimization: { minimize: ${isWhole()} },
};`;

const ROLLUP = ['--dir', 'dist', '--plugin', 'node-resolve'];
const ESBUILD = ['--bundle', '--format=esm', '--splitting', '--outdir=dist'];

/** Those that make modules of scripts, with the program of each and its options. */
export const MODULE_BUNDLERS = [
  ['rollup', 'rollup/dist/bin/rollup', ROLLUP] as const,
  ['esbuild', 'esbuild/bin/esbuild', ESBUILD] as const,
].filter(([tool]) => isTested(tool));
