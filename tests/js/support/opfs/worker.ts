// worker.ts - a dedicated worker that does what a test orders: only there is OPFS to be had.

import { COMMANDS } from './commands.js';

self.onmessage = async ({ data }: MessageEvent<{ id: number; name: string; given: unknown[] }>) => {
  const { id, name, given } = data;
  const run = COMMANDS[name as keyof typeof COMMANDS] as (...given: unknown[]) => unknown;
  try {
    self.postMessage({ id, value: await run(...given) });
  } catch (error) {
    const { code, message, cause } = error as Error & { code?: string };
    const causeName = (cause as Error | undefined)?.name;
    self.postMessage({ id, error: { code, message, causeName } });
  }
};
