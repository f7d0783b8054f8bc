// own-server.ts - the server of the built package.

import { serve } from '../../package/support/serve.js';

/** Starts it for the length of the test. Returns the address of its account. */
export async function ownServer(): Promise<string> {
  const { connectionString } = await serve('--in-memory', '--quiet');
  return /TableEndpoint=([^;]+)/.exec(connectionString)![1]!;
}
