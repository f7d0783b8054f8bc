/**
 * The types of `bindings/embind.cc`. No other file of the package knows the WebAssembly module.
 *
 * @module
 */

import type { Batch, CommitOutcome, StorageKey } from '../storage/page-storage.js';
import type { Outcome } from './outcome.js';
import type { RestOfModule } from './rest-of-module.js';

/** The next task of the host; `yield`: call `run()` again in a later turn of the event loop. */
export type Step =
  | IdleStep
  | { readonly kind: 'answer'; readonly request: number; readonly outcome: Outcome<FramePlace> }
  | ReadStep
  | CommitStep
  | { readonly kind: 'yield' };

/** There is nothing to do until the next request or answer. */
export interface IdleStep {
  readonly kind: 'idle';
  /** Background work waits until no write comes: call `run()` again after so many milliseconds. */
  readonly backgroundWorkInMs?: number | undefined;
}

/** The place of the frame of an answer in `HEAPU8`. Valid until the next call of any kind. */
export interface FramePlace {
  readonly start: number;
  readonly length: number;
}

/** Values to fetch in one snapshot, for `supply()` or `readFailed()`. */
export interface ReadStep {
  readonly kind: 'read';
  readonly id: number;
  readonly keys: readonly StorageKey[];
  /** If set: also every log record above this number. */
  readonly recordsAfter?: number | undefined;
  /**
   * No other account should write before the commit that follows at once, if `supply()` says so.
   */
  readonly exclusive?: boolean | undefined;
}

/** A batch to store, for `complete()`. */
export interface CommitStep {
  readonly kind: 'commit';
  readonly id: number;
  readonly batch: Batch;
  /** It belongs to the exclusive read that was just supplied. */
  readonly exclusive?: boolean | undefined;
}

/** In the order of `CommitOutcome` of `entitable/steps.h`. */
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
   * The address of four numbers in `HEAPU8`; the address never changes. `answer:u32 length:u32` is
   * the place of the answer that `submit()` or `submitHttp()` gave at once. `frame:u32 bytes:u32`
   * is a place where a frame of up to `bytes` bytes may be written without `reserve()`.
   */
  places(): number;
  /**
   * An address in `HEAPU8` with room for a frame, or 0, if there is no memory for the frame or for
   * its request. Valid until the next call of any kind.
   *
   * @param bytes - its length at most.
   * @param contentBytes - about its length.
   */
  reserve(bytes: number, contentBytes: number): number;
  /** The same for a snapshot. */
  reserveSnapshot(bytes: number): number;
  /**
   * An operation frame is at the reserved place. Returns the id of the request, or 0: it is a read,
   * and is answered already; or there is no memory for it, and the answer is empty.
   */
  submit(length: number): number;
  /**
   * The same for an HTTP request frame. The answer is an HTTP answer frame with the time.
   */
  submitHttp(length: number, unixMilliseconds: number): number;
  /** True: it will not be answered. False: it is a write that was begun, or it was answered. */
  cancel(request: number): boolean;
  /** Works until the host must act, and sets the `step` of the module to what the host must do. */
  run(unixMilliseconds: number): void;
  /**
   * A snapshot frame is at the reserved place. True: the exclusive commit is one of the next steps.
   */
  supply(read: number, length: number): boolean;
  /** Fails the requests that need the read. */
  readFailed(read: number, code: string, message: string): void;
  /** @param outcome - its index in `COMMIT_OUTCOMES`; any other number means `unknown`. */
  complete(commit: number, outcome: number): void;
  /** Begins no further step of background work, because the account will be closed. */
  stopBackgroundWork(): void;
  /** After `stopBackgroundWork()`. */
  resumeBackgroundWork(): void;
  /** How many entities reads have compared so far: the cost of queries. */
  examinedEntities(): number;
  delete(): void;
}

/** One instance of the WebAssembly module. */
export interface CoreModule {
  /** It is another array after the memory grew: never keep it across a call. */
  readonly HEAPU8: Uint8Array;
  /** What the caller of the last `run()` must do. */
  readonly step: Step;
  /** Its second part, if that is not there from the beginning. */
  readonly rest?: RestOfModule | undefined;
  /**
   * `random`: 32 bytes that no other opener has. `maxMemoryBytes`: of the instance; at most the
   * limit that the module was linked with. `cacheBytes`: of pages.
   */
  readonly Engine: new (
    account: string,
    baseUrl: string,
    random: Uint8Array,
    isService: boolean,
    cacheBytes: number,
    maxMemoryBytes: number,
  ) => Engine;
  /**
   * Every broken rule of a text in UTF-8, as JSON: `docs/internals/frames.md`. `schema`: that of an
   * entity as bytes, or empty: `docs/internals/file-format.md`.
   */
  validate(
    what: 'entity' | 'table-name' | 'property-name' | 'key',
    utf8: Uint8Array,
    isService: boolean,
    schema: Uint8Array | '',
  ): string;
  /**
   * Where an HTTP request frame belongs, for an account that is spread over several: the JSON of
   * `RouteOf()` in `entitable/http.h`; empty, if there is not enough memory.
   */
  route(accountPath: string, frame: Uint8Array, isService: boolean): string;
}

/**
 * Makes the module of an instance, which `wasm` makes of its imports.
 *
 * @internal
 */
export type CreateModule = (options: {
  wasm: (imports: WebAssembly.Imports) => Promise<WebAssembly.Instance>;
}) => Promise<CoreModule>;
