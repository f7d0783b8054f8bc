// cache.mjs - the folder for results that are expensive to make, outside of the work tree.

import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder of that name in $ENTITABLE_CACHE, else $XDG_CACHE_HOME/entitable, else
 * ~/.cache/entitable.
 */
export function cacheFolder(name) {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(process.env.ENTITABLE_CACHE || join(cache, 'entitable'), name);
}

/** The environment of programs that compile C++: where ccache keeps objects, and how many bytes. */
export const compilerCache = () => ({
  CCACHE_DIR: process.env.CCACHE_DIR || cacheFolder('ccache-1'),
  CCACHE_MAXSIZE: process.env.CCACHE_MAXSIZE || '1G',
});
