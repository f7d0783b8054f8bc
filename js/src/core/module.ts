/**
 * What `bindings/embind.cc` shows of the core, as types. Nothing else of the
 * package knows the WebAssembly module.
 *
 * @module
 */

import type { Batch, CommitOutcome, StorageKey } from '../storage/page-storage.js';
import type { Outcome } from './outcome.js';

/** What the host is to do next; `yield`: `run()` again in a later turn of the event loop. */
export type Step =
  | IdleStep
  | { readonly kind: 'answer'; readonly request: number; readonly outcome: Outcome<FramePlace> }
  | ReadStep
  | CommitStep
  | { readonly kind: 'yield' };

/** Nothing to do before something is asked or answered. */
export interface IdleStep {
  readonly kind: 'idle';
  /** There is upkeep that waits until no write comes: `run()` again after so long. */
  readonly backgroundWorkInMs?: number | undefined;
}

/** Where the frame of an answer lies in `HEAPU8`. Valid until the next call of any kind. */
export interface FramePlace {
  readonly start: number;
  readonly length: number;
}

/** Values to fetch in one snapshot, for `supply()` or `readFailed()`. */
export interface ReadStep {
  readonly kind: 'read';
  readonly id: number;
  readonly keys: readonly StorageKey[];
  /** If set: every record of the log above this number, too. */
  readonly recordsAfter?: number | undefined;
  /** Nobody else should write before the commit that follows at once, if `supply()` says so. */
  readonly exclusive?: boolean | undefined;
}

/** A batch to store, for `complete()`. */
export interface CommitStep {
  readonly kind: 'commit';
  readonly id: number;
  readonly batch: Batch;
  /** It goes with the exclusive read that was just supplied. */
  readonly exclusive?: boolean | undefined;
}

/** As `CommitOutcome` of `entitable/engine.h` has them. */
export const COMMIT_OUTCOMES: readonly CommitOutcome[] = [
  'ok',
  'moved',
  'quota',
  'refused',
  'unknown',
];

/** One opened account. JavaScript owns it and ends it with `delete()`. */
export interface Engine {
  /**
   * An address in `HEAPU8` with room for a frame, or 0: there is no memory for it, or for what is to
   * be done with it. Valid until the next call of any kind.
   *
   * @param bytes - how long it is at most.
   * @param contentBytes - about how long it is.
   */
  reserve(bytes: number, contentBytes: number): number;
  /** The same for a snapshot. */
  reserveSnapshot(bytes: number): number;
  /**
   * An operation frame lies at the reserved place. Returns the id of the request, or 0: it is a
   * read, and answered.
   */
  submit(length: number): number;
  /** Where that answer is described: `start:u32 length:u32` of a `FramePlace`. */
  answerPlace(): number;
  /**
   * The same for an HTTP request frame, which is answered with an HTTP answer frame that tells the
   * time. Only of the module with the HTTP front.
   */
  submitHttp?(length: number, unixMilliseconds: number): number;
  /** True: it will not be answered. False: a write that is under way, or it was answered. */
  cancel(request: number): boolean;
  run(unixMilliseconds: number): Step;
  /**
   * A snapshot frame lies at the reserved place. True: the exclusive commit is among the
   * next steps.
   */
  supply(read: number, length: number): boolean;
  /** Requests that need the read fail with this. */
  readFailed(read: number, code: string, message: string): void;
  /** @param outcome - its place in `COMMIT_OUTCOMES`; any other is taken for `unknown`. */
  complete(commit: number, outcome: number): void;
  /** No further step of keeping the store in shape: an end is near. */
  stopBackgroundWork(): void;
  /** How many entities reads have looked at so far: what queries cost. */
  examinedEntities(): number;
  delete(): void;
}

/** One instance of the WebAssembly module. */
export interface CoreModule {
  /** Another array after the memory grew: never keep it across a call. */
  readonly HEAPU8: Uint8Array;
  /**
   * `random`: 32 bytes that no other opener has. `maxMemoryBytes`: of the instance; what the module
   * was linked for, if that is less.
   */
  readonly Engine: new (
    account: string,
    baseUrl: string,
    random: Uint8Array,
    isService: boolean,
    cacheBytes: number,
    maxMemoryBytes: number,
  ) => Engine;
  /** Every broken rule of a text in UTF-8, as JSON: `docs/internals/frames.md`. */
  validate(
    what: 'entity' | 'table-name' | 'property-name' | 'key',
    utf8: Uint8Array,
    isService: boolean,
  ): string;
}

/**
 * Makes an instance; the only thing it wants from its host is the compiled module.
 *
 * @internal
 */
export type CreateModule = (options: {
  instantiateWasm(
    imports: WebAssembly.Imports,
    receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object;
}) => Promise<CoreModule>;
