// built.ts - entries of the built package, in the process of the test.

import { pathToFileURL } from 'node:url';

import type * as ServerModule from '../../../js/src/server.js';

/** Imports an entry from `dist`. Its type is that of the source. */
export async function built<T>(name: string): Promise<T> {
  return (await import(/* @vite-ignore */ pathToFileURL(`dist/${name}.js`).href)) as T;
}

export type TableServer = ServerModule.TableServer;

/** Starts a server of the built package, which costs less than the command. */
export const { startServer } = await built<typeof ServerModule>('server');
