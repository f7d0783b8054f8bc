/**
 * Runs the steps of the engine: reads and commits of the storage, and the answers to requests.
 *
 * @module
 */

import { isTableError, storageError } from '../base/errors.js';
import { inNextTurn } from '../base/next-turn.js';
import { Slices } from '../base/slices.js';
import type {
  CommitResult,
  Durability,
  PageStorage,
  ReadRequest,
  Snapshot,
} from '../storage/page-storage.js';
import { checkedResult, checkedSnapshot } from './adapter.js';
import { clock } from './clock.js';
import type { EarlyRead } from './early-read.js';
import { supplySnapshot } from './frames.js';
import type { GuardedEngine } from './guarded-engine.js';
import {
  COMMIT_OUTCOMES,
  type CommitStep,
  type FramePlace,
  type ReadStep,
  type Step,
} from './module.js';
import type { Outcome, StorageFailure } from './outcome.js';
import { StorageCalls } from './storage-calls.js';

/** What the loop works on, and what it reports. */
export interface StepLoopHost {
  readonly engine: GuardedEngine;
  readonly storage: PageStorage;
  readonly durability: Durability | undefined;
  readonly early: EarlyRead | undefined;

  /** Takes the answer to a request. */
  onAnswer(request: number, outcome: Outcome<FramePlace>): void;

  /** A commit ended with this outcome. */
  onCommit(outcome: CommitResult['outcome']): void;

  /** The engine has no step for now. */
  onIdle(): void;
}

// A turn of the event loop takes less, unless the page sleeps.
const OVERDUE_MS = 200;

/** The only asynchronous code between the engine and its storage. */
export class StepLoop {
  readonly #host: StepLoopHost;
  #isScheduled = false;
  #commitsBegun = 0;

  // A storage in memory answers in the same turn, so a slice may have several runs, and ends only
  // when the loop gives up its turn.
  readonly #slices = new Slices();

  // When the engine last let others have their turn; 0 when it works.
  #yieldedAt = 0;

  // Runs the engine for background work, which waits until no write comes.
  #backgroundTimer: ReturnType<typeof setTimeout> | undefined;
  #backgroundAt = 0;

  /** The calls to the storage that are under way. */
  readonly storageCalls = new StorageCalls();

  /**
   * What the storage reported when it last failed, for the errors that follow. An import may learn
   * that there is no room only after other writes were stored.
   */
  readonly storageFailure: StorageFailure = {};

  constructor(host: StepLoopHost) {
    this.#host = host;
  }

  /** How many commits of log records were begun. */
  get commitsBegun(): number {
    return this.#commitsBegun;
  }

  /** Runs the engine at the end of this turn, once for all requests of the turn. */
  schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#run();
    });
  }

  /** Begins no further background work. */
  stopBackgroundWork(): void {
    clearTimeout(this.#backgroundTimer);
    this.#host.engine.callIfOpen((engine) => engine.stopBackgroundWork());
  }

  /** Begins it again, after {@link stopBackgroundWork}. */
  resumeBackgroundWork(): void {
    this.#host.engine.callIfOpen((engine) => engine.resumeBackgroundWork());
    this.schedule();
  }

  // Runs until the engine waits for the storage or for the next request. With `isExclusive`, it
  // runs until the commit of the exclusive read, and returns that instead of carrying it out.
  #run(isExclusive = false): CommitStep | undefined {
    if (!isExclusive && this.#isYielding()) return undefined;
    this.#slices.resume();
    for (let step: Step | undefined; (step = this.#nextStep());) {
      if (step.kind === 'idle') {
        if (step.backgroundWorkInMs) this.#runAfter(step.backgroundWorkInMs);
        break;
      }
      if (step.kind === 'yield') {
        this.#yield();
        break;
      }
      if (step.kind === 'commit' && isOfLog(step)) this.#commitsBegun++;
      if (step.kind === 'answer') this.#host.onAnswer(step.request, step.outcome);
      // eslint-disable-next-line @typescript-eslint/no-floating-promises -- it never rejects
      else if (step.kind === 'read') void this.#read(step);
      else if (step.exclusive && isExclusive) return step;
      // eslint-disable-next-line @typescript-eslint/no-floating-promises -- the same
      else void this.#commit(step);
      if (this.#slices.isOver && !isExclusive) {
        this.#yield();
        break;
      }
    }
    this.#slices.pause();
    this.#host.onIdle();
    return undefined;
  }

  #nextStep(): Step | undefined {
    return this.#host.engine.callIfOpen((engine, module) => {
      engine.run(clock.now());
      return module.step;
    });
  }

  #yield(): void {
    this.#slices.restart();
    this.#yieldedAt = Date.now();
    inNextTurn(() => {
      if (!this.#yieldedAt) return;
      this.#yieldedAt = 0;
      void this.#run();
    });
  }

  // The turn that is overdue may never come: some platforms end the tasks of a request when it is
  // answered.
  #isYielding(): boolean {
    if (this.#yieldedAt && Math.abs(Date.now() - this.#yieldedAt) > OVERDUE_MS) this.#yieldedAt = 0;
    return this.#yieldedAt > 0;
  }

  // A timer that comes too early asks again, which costs less than a new timer for each write. A
  // timer that is overdue may never come, as above.
  #runAfter(ms: number): void {
    const now = performance.now();
    if (now < this.#backgroundAt && this.#backgroundAt <= now + ms) return;
    clearTimeout(this.#backgroundTimer);
    this.#backgroundAt = now + ms;
    this.#backgroundTimer = setTimeout(() => {
      this.#backgroundAt = 0;
      void this.#run();
    }, ms);
  }

  async #read({ id, keys, recordsAfter, exclusive }: ReadStep): Promise<void> {
    const { engine, storage, early } = this.#host;
    this.storageCalls.begin();
    const request = { keys, recordsAfter };
    const supply = (given: Snapshot) => this.#supply(id, checkedSnapshot(given, request));
    const taken = early?.take(request);
    try {
      if (exclusive && storage.exclusively) await this.#commitExclusively(request, supply);
      else supply((taken && (await taken)) ?? (await storage.read(request)));
    } catch (cause) {
      this.storageFailure.cause = cause;
      const { code, message } = (this.storageFailure.error = storageError(cause));
      engine.callIfOpen((it) => it.readFailed(id, code, message));
    }
    this.storageCalls.end();
    this.#run();
  }

  // Too little memory for the snapshot fails the requests that need it, and no others.
  #supply(id: number, snapshot: Snapshot): boolean | undefined {
    return this.#host.engine.callIfOpen((engine, module) => {
      try {
        return supplySnapshot(module, engine, id, snapshot);
      } catch (error) {
        if (!isTableError(error)) throw error;
        engine.readFailed(id, error.code, error.message);
        return false;
      }
    });
  }

  // Rejects if it could not read. A later rejection breaks the contract, and is an outcome of the
  // commit: the engine would wait for ever without one.
  async #commitExclusively(
    request: ReadRequest,
    supply: (snapshot: Snapshot) => boolean | undefined,
  ): Promise<void> {
    let commit: CommitStep | undefined;
    let refusal: Error | undefined;
    let isDecided = false;
    const decide = (snapshot: Snapshot) => {
      isDecided = true;
      try {
        if (supply(snapshot)) commit = this.#run(true);
      } catch (cause) {
        refusal = cause as Error;
      }
      return commit?.batch;
    };
    const { storage, durability } = this.#host;
    let result: CommitResult | undefined;
    try {
      result = await storage.exclusively!(request, decide, { durability });
    } catch (cause) {
      if (!commit) throw cause;
      result = { outcome: 'unknown', cause };
    }
    if (!isDecided) throw new TypeError('exclusively() did not call decide().');
    if (refusal) throw refusal;
    if (commit) this.#complete(commit, result);
  }

  async #commit(step: CommitStep): Promise<void> {
    const { storage, durability } = this.#host;
    this.storageCalls.begin();
    let result: CommitResult;
    try {
      result = await storage.commit(step.batch, { durability });
    } catch (cause) {
      result = { outcome: 'unknown', cause };
    }
    this.#complete(step, result);
    this.storageCalls.end();
    this.#run();
  }

  #complete({ id, batch }: CommitStep, result: CommitResult | undefined): void {
    const { outcome, cause, room } = checkedResult(result);
    if (outcome !== 'moved') this.storageFailure.cause = cause;
    if (outcome === 'quota') {
      const needed = batch.puts.reduce((bytes, [, value]) => bytes + value.length, 0);
      this.storageFailure.room = { ...room, needed };
    }
    this.#host.onCommit(outcome);
    this.#host.engine.callIfOpen((engine) => engine.complete(id, COMMIT_OUTCOMES.indexOf(outcome)));
  }
}

// Commits of background work have no log records: they hold no write that a caller waits for.
const isOfLog = ({ batch }: CommitStep) => batch.puts.some(([key]) => /^log\/\d/.test(key));
