/**
 * The module that verifies stores: plain functions over one buffer, see `bindings/verify.cc`.
 *
 * @module
 */

import { textOfUtf8 } from '../base/utf8.js';
import { FrameWriter } from '../core/frame-writer.js';
import { snapshotBytes, writeSnapshot } from '../core/snapshot-frame.js';
import type { ReadRequest, Snapshot, StorageKey } from '../storage/page-storage.js';
import type { Finding } from './finding.js';

interface Exports {
  readonly memory: WebAssembly.Memory;
  _initialize(): void;
  verify_reserve(bytes: number): number;
  verify_begin(repairs: number, isListed: number, bytes: number): void;
  verify_next(): number;
  verify_supply(bytes: number): void;
  verify_take_recovered(): number;
  verify_report(): number;
}

const KEY_BYTES = 9;
const KINDS = ['log/base', 'log/', 'pages/root', 'pages/'] as const;

/** One check of one store. */
export class VerifyModule {
  readonly #exports: Exports;

  private constructor(exports: Exports) {
    this.#exports = exports;
  }

  /** Rejects with the reason. */
  static async start(module: WebAssembly.Module): Promise<VerifyModule> {
    const nothing = () => 0;
    const modules: WebAssembly.Imports = {};
    // It never calls its imports, which its library only declares.
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      (modules[from] ??= {})[name] = nothing;
    }
    const instance = await WebAssembly.instantiate(module, modules);
    const exports = instance.exports as unknown as Exports;
    exports._initialize();
    return new VerifyModule(exports);
  }

  /** @param pages - the numbers of all pages, if they are known. */
  begin(repairs: boolean, pages: readonly number[] | undefined): void {
    const bytes = 8 * (pages?.length ?? 0);
    const view = this.#room(bytes);
    pages?.forEach((page, at) => view.setBigUint64(8 * at, BigInt(page), true));
    this.#exports.verify_begin(Number(repairs), Number(pages !== undefined), bytes);
  }

  /** The next read; undefined at the end. */
  next(): ReadRequest | undefined {
    const view = this.#answer(this.#exports.verify_next());
    if (view.byteLength === 0) return undefined;
    const keys: StorageKey[] = [];
    for (let at = 0; at < view.byteLength; at += KEY_BYTES) keys.push(keyAt(view, at));
    return keys.includes('log/base') ? { keys, recordsAfter: 0 } : { keys };
  }

  /** Gives it the snapshot of a read. */
  supply(snapshot: Snapshot): void {
    const bytes = snapshotBytes(snapshot);
    const { buffer, byteOffset } = this.#room(bytes);
    writeSnapshot(new FrameWriter(new Uint8Array(buffer), byteOffset), snapshot);
    this.#exports.verify_supply(bytes);
  }

  /**
   * The repaired log and manifest, and new pages; they take the place of the store's. Call it once.
   */
  takeRecovered(): Map<StorageKey, Uint8Array> {
    const view = this.#answer(this.#exports.verify_take_recovered());
    const values = new Map<StorageKey, Uint8Array>();
    for (let at = 0; at < view.byteLength;) {
      const key = keyAt(view, at);
      const start = at + KEY_BYTES + 4;
      const length = view.getUint32(at + KEY_BYTES, true);
      at = start + length;
      values.set(key, new Uint8Array(view.buffer, view.byteOffset + start, length).slice());
    }
    return values;
  }

  report(): { findings: Finding[]; named: string[] } {
    const json = textOfUtf8(this.#answer(this.#exports.verify_report()));
    return JSON.parse(json) as { findings: Finding[]; named: string[] };
  }

  // Views die when the memory grows, so with the next call.
  #room(bytes: number): DataView {
    const start = this.#exports.verify_reserve(bytes);
    return new DataView(this.#exports.memory.buffer, start, bytes);
  }

  #answer(bytes: number): DataView {
    return this.#room(bytes);
  }
}

function keyAt(view: DataView, at: number): StorageKey {
  const kind = view.getUint8(at);
  const number = kind % 2 === 1 ? Number(view.getBigUint64(at + 1, true)) : '';
  return `${KINDS[kind]!}${number}` as StorageKey;
}
