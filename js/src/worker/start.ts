/**
 * Starts workers, and waits for their scripts.
 *
 * @module
 */

import { TableError } from '../base/errors.js';
import type { OwnWorker } from '../core/load-module.js';
import { inNextTurn } from '../base/next-turn.js';
import type { WorkerMessage } from './messages.js';
import { received } from './posted-error.js';

// A slow network needs some time for the script. A developer should not wait that long for a hint.
const SILENCE_MS = 60_000;
const WARNING_MS = 5_000;

/** Returns undefined where there are no workers: in a service worker, in Node. */
export function startWorker(start: (() => OwnWorker) | undefined): OwnWorker | undefined {
  if (typeof Worker === 'undefined') return undefined;
  try {
    return start?.();
  } catch (cause) {
    // A document without an origin, for one, may not start any, nor one with Trusted Types.
    console.warn(`Entitable: new Worker() has thrown. ${String(cause)}`);
    return undefined;
  }
}

/**
 * Waits until the script of a worker runs.
 *
 * @param firstError - of the worker.
 * @param isOwn - whether this package has started it.
 * @returns the lock that the worker holds; undefined, if the Content-Security-Policy of the page
 * allows no worker of its own.
 * @throws {@link TableError} `ScriptNotLoaded`, if there is no such script, or if it does not
 * answer.
 */
export async function untilReady(
  port: MessagePort,
  firstError: Promise<Event>,
  isOwn: boolean,
): Promise<string | undefined> {
  let isForbidden = false;
  const onViolation = ({ effectiveDirective }: SecurityPolicyViolationEvent) => {
    isForbidden ||= effectiveDirective === 'worker-src';
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const warning = setTimeout(() => console.warn(silenceOf(WARNING_MS), MUST_SERVE), WARNING_MS);
  globalThis.document?.addEventListener('securitypolicyviolation', onViolation);
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      port.onmessage = ({ data }: MessageEvent<WorkerMessage[]>) => {
        const [message] = data;
        if (message?.kind === 'refused') reject(received(message.error) as Error);
        if (message?.kind === 'ready') resolve(message.workerLock);
      };
      const fail = (event: Event) => {
        // The page learns of a violation in a task of its own.
        inNextTurn(() =>
          isForbidden && isOwn ? resolve(undefined) : reject(notLoaded(event, isOwn)),
        );
      };
      // eslint-disable-next-line @typescript-eslint/no-floating-promises -- it never rejects
      void firstError.then(fail);
      timer = setTimeout(() => reject(silent()), SILENCE_MS);
    });
  } finally {
    clearTimeout(timer);
    clearTimeout(warning);
    globalThis.document?.removeEventListener('securitypolicyviolation', onViolation);
  }
}

const OWN_WORKER =
  'Rollup, esbuild, and Vite 5 to 7 in development do not make it. With these, make the worker ' +
  'yourself, with a script that calls serveAccounts() of entitable/worker, and pass it as the ' +
  'option worker (the guide "In a worker").';
const ITS_ADDRESS =
  'Check the address that new Worker() got, and bundle that file as an entry of its own.';
const MUST_SERVE = 'Its script must call serveAccounts() of entitable/worker.';

function notLoaded(event: Event, isOwn: boolean): TableError {
  const { message } = event as Partial<ErrorEvent>;
  const cause = message ? new Error(message) : undefined;
  const sentence = isOwn ? OWN_WORKER : cause ? undefined : ITS_ADDRESS;
  const text = 'The script of the worker cannot be loaded.';
  return new TableError('ScriptNotLoaded', text, { sentence, ...(cause ? { cause } : {}) });
}

function silent(): TableError {
  return new TableError('ScriptNotLoaded', silenceOf(SILENCE_MS), { sentence: MUST_SERVE });
}

function silenceOf(ms: number): string {
  return `The worker has not answered for ${ms / 1000} seconds.`;
}
