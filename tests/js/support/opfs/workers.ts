// workers.ts - dedicated workers, each of which stands for a tab.

import { onTestFinished } from 'vitest';

import type { COMMANDS } from './commands.js';

type Commands = typeof COMMANDS;

export interface OpfsWorker {
  /**
   * Orders a command. Rejects with the code and message of the error, and the name of its cause.
   */
  call<Name extends keyof Commands>(
    name: Name,
    ...given: Parameters<Commands[Name]>
  ): Promise<Awaited<ReturnType<Commands[Name]>>>;

  /** Resolves when the worker has acknowledged a write. */
  acknowledged(number: number): Promise<void>;

  /** The last write that it has acknowledged. */
  readonly last: number;

  /** Ends it at once, whatever it does. */
  terminate(): void;
}

interface Waiting {
  resolve(value: never): void;
  reject(reason: unknown): void;
}

/** Starts a worker for the length of the test. */
export function startWorker(): OpfsWorker {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, Waiting>();
  const goals: { number: number; resolve: () => void }[] = [];
  let [calls, last] = [0, 0];
  worker.onmessage = ({ data: { id, value, error, acknowledged } }) => {
    if (acknowledged) {
      last = acknowledged as number;
      goals.filter(({ number }) => number <= last).forEach(({ resolve }) => resolve());
      return;
    }
    const { resolve, reject } = waiting.get(id as number)!;
    if (error) reject(Object.assign(new Error((error as Error).message), error));
    else resolve(value as never);
  };
  worker.onerror = ({ message }) => waiting.forEach(({ reject }) => reject(new Error(message)));
  onTestFinished(() => worker.terminate());
  return {
    call: (name, ...given) =>
      new Promise((resolve, reject) => {
        waiting.set(++calls, { resolve, reject });
        worker.postMessage({ id: calls, name, given });
      }),
    acknowledged: (number) =>
      new Promise((resolve) => {
        if (last >= number) resolve();
        else goals.push({ number, resolve });
      }),
    get last() {
      return last;
    },
    terminate: () => worker.terminate(),
  };
}

let names = 0;

/** The name of a store that no other test uses. */
export function freshStore(): string {
  return `test-${crypto.randomUUID()}-${names++}`;
}
