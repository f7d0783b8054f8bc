/**
 * Calls of the engine. The engine never throws, so an exception means that the module has aborted.
 *
 * @module
 */

import { isTableError, TableError } from '../base/errors.js';
import { submitFrame, type RequestFrame } from './frames.js';
import type { CoreModule, Engine, FramePlace } from './module.js';

/** The arguments of an engine; see `CoreModule`. */
export type EngineArguments = ConstructorParameters<CoreModule['Engine']>;

/** One engine. It is not called any more after its module has aborted, or after `close()`. */
export class GuardedEngine {
  readonly #module: CoreModule;
  readonly #engine: Engine;
  readonly #places: number;
  readonly #onAbort: (cause: unknown) => void;
  #isOver = false;

  /** @param onAbort - called once, when the module aborts. */
  constructor(module: CoreModule, given: EngineArguments, onAbort: (cause: unknown) => void) {
    this.#module = module;
    this.#engine = new module.Engine(...given);
    this.#places = this.#engine.places();
    this.#onAbort = onAbort;
  }

  /** True when the engine must not be called any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The frame of an answer; valid until the next call of the engine. */
  frameAt({ start, length }: FramePlace): Uint8Array {
    return this.#module.HEAPU8.subarray(start, start + length);
  }

  /**
   * Hands it a request, see `submitFrame()`.
   *
   * @throws {@link TableError} what `frame` and `submitFrame()` throw; `ModuleAborted`, if the
   * module aborts.
   */
  submit(frame: () => RequestFrame): number | Uint8Array {
    return this.call((engine, module) => submitFrame(module, engine, this.#places, frame()));
  }

  /**
   * Calls the engine for a caller that waits for the result.
   *
   * @throws {@link TableError} what `work` throws; `ModuleAborted`, if the module aborts.
   */
  call<T>(work: (engine: Engine, module: CoreModule) => T): T {
    try {
      return work(this.#engine, this.#module);
    } catch (cause) {
      if (isTableError(cause)) throw cause;
      this.#isOver = true;
      this.#onAbort(cause);
      throw moduleAborted(cause);
    }
  }

  /**
   * Calls the engine where no caller waits; undefined, if the engine is over or the module aborts.
   */
  callIfOpen<T>(work: (engine: Engine, module: CoreModule) => T): T | undefined {
    if (this.#isOver) return undefined;
    try {
      return this.call(work);
    } catch {
      return undefined;
    }
  }

  /** Frees its memory. The memory of a module that aborted goes with its instance. */
  close(): void {
    if (!this.#isOver) this.#engine.delete();
    this.#isOver = true;
  }
}

/** The error of a request on a module that has aborted. */
export function moduleAborted(cause: unknown): TableError {
  const message = 'The WebAssembly module has aborted; open the account again.';
  return new TableError('ModuleAborted', message, { cause });
}

/** The error of a write that the storage may have stored before the module aborted. */
export function commitUnknown(cause: unknown): TableError {
  const message = 'The WebAssembly module has aborted; the change may be stored, or not.';
  return new TableError('StorageOutcomeUnknown', message, { cause });
}
