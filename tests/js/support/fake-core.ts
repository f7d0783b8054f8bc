// fake-core.ts - a core that a test controls, for tests of the session.

import {
  COMMIT_OUTCOMES,
  type CoreModule,
  type Engine,
  type Step,
} from '../../../js/src/core/module.js';

/** Every call of the engine in its order, and the steps that `run` returns. */
export class FakeCore {
  readonly calls: string[] = [];
  readonly steps: Step[] = [];

  /** The operation frames that were submitted. */
  readonly frames: Uint8Array[] = [];

  /** The snapshot frames that were supplied. */
  readonly snapshots: Uint8Array[] = [];

  /** The result of `cancel`. */
  isWaiting = true;

  /** Whether `submit` answers a request at once, with a success without a body. */
  isAnswering = false;

  /** Whether there is memory for a further request. */
  hasMemory = true;

  /** How many places for frames were asked for. */
  reservations = 0;

  /** How long a frame may be that is written without `reserve`, below 256. */
  frameBytes = 0;

  /** The result of `supply`. */
  isCommitNext = false;

  /** If set, calls of that name throw the error. */
  fault: { call: keyof Engine; error: Error } | undefined;

  readonly module: CoreModule & { step: Step };
  #requests = 0;

  constructor() {
    const core = this;
    const heap = new Uint8Array(1 << 24);
    heap[0] = 204;
    const call = <T>(name: keyof Engine, answer: T, ...parameters: unknown[]): T => {
      core.calls.push([name, ...parameters].join(' '));
      if (core.fault?.call === name) throw core.fault.error;
      return answer;
    };
    class FakeEngine implements Engine {
      places = () => 32;
      reserve = () => {
        core.reservations++;
        heap.set([64, 0, 0, 0, core.frameBytes], 40);
        return core.hasMemory ? 64 : 0;
      };
      reserveSnapshot = () => (core.hasMemory ? 64 : 0);
      submit = (length: number) => {
        core.frames.push(heap.slice(64, 64 + length));
        const request = call('submit', ++core.#requests);
        // The answer: two bytes, at address 0.
        heap[36] = core.hasMemory ? 2 : 0;
        return core.isAnswering || !core.hasMemory ? 0 : request;
      };
      submitHttp = (length: number) => {
        core.frames.push(heap.slice(64, 64 + length));
        return call('submitHttp', ++core.#requests);
      };
      cancel = (request: number) => call('cancel', core.isWaiting, request);
      run = () => {
        core.module.step = call('run', core.steps.shift() ?? { kind: 'idle' });
      };
      supply = (read: number, length: number) => {
        core.snapshots.push(heap.slice(64, 64 + length));
        return call('supply', core.isCommitNext, read);
      };
      readFailed = (read: number, code: string, message: string) =>
        call('readFailed', undefined, read, code, message);
      complete = (commit: number, outcome: number) =>
        call('complete', undefined, commit, COMMIT_OUTCOMES[outcome] ?? 'none');
      examinedEntities = () => 0;
      stopBackgroundWork = () => undefined;
      resumeBackgroundWork = () => undefined;
      delete = () => call('delete', undefined);
    }
    const step: Step = { kind: 'idle' };
    this.module = {
      HEAPU8: heap,
      Engine: FakeEngine,
      step,
      validate: () => '{}',
      route: () => '{}',
    };
  }

  /** The step that answers a request with a success without a body. */
  static success(request: number): Step {
    return { kind: 'answer', request, outcome: { ok: true, value: { start: 0, length: 2 } } };
  }
}
