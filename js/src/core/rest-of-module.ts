/**
 * The second part of a WebAssembly module that is in two parts.
 *
 * `scripts/split-module.mjs` moves the functions that the first screen of an app does not need into
 * a second part. In the first part, the place of each of them in the table of functions holds a
 * placeholder: an import that is named by its place. The second part shares the memory and the
 * table of the first, and its instance puts the functions into their places.
 *
 * Requests that need the second part wait for it (`rest-gate.ts`), so no placeholder should ever be
 * called. If one is, because an app does first what no other does, it fetches the part within the
 * call. That holds the page up, and loses nothing.
 *
 * @module
 */

import { isUrl, tagOf } from '../base/kinds.js';
import { compileFrom, loadError, type WasmSource } from './compile.js';

/** The second part, for one instance of the first part. */
export class RestOfModule {
  /** Where it comes from. */
  readonly source: () => WasmSource;
  // If this thread can fetch it within a call.
  readonly #address: string | undefined;
  #first: WebAssembly.Module | undefined;
  #exports: WebAssembly.Exports | undefined;
  #table: WebAssembly.Table | undefined;
  #compiled: WebAssembly.Module | undefined;
  #isThere = false;
  #loading: Promise<void> | undefined;

  constructor(source: () => WasmSource) {
    this.source = source;
    this.#address = addressOf(source);
    // It may fail before it is awaited.
    if (!this.canWait) this.#compile().catch(() => undefined);
  }

  /** False: no function of the first part may be called before the second part is there. */
  get canWait(): boolean {
    return this.#address !== undefined;
  }

  /** Whether its functions are in their places. */
  get isThere(): boolean {
    return this.#isThere;
  }

  /** @internal Makes the instance of the first part. */
  async instantiate(
    first: WebAssembly.Module,
    imports: WebAssembly.Imports,
  ): Promise<WebAssembly.Instance> {
    const placeholder = new Proxy<WebAssembly.ModuleImports>(
      {},
      { get: (_, place) => this.#placeholderAt(Number(place)) },
    );
    this.#first = first;
    const instance = await WebAssembly.instantiate(first, { ...imports, placeholder });
    const { exports } = instance;
    this.#exports = exports;
    this.#table = Object.values(exports).find(isTable);
    return instance;
  }

  /** Resolves when it is there. If it cannot be loaded, a later call tries again. */
  ready(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<void> {
    try {
      this.#compiled = await this.#compile();
      this.#join();
    } catch (error) {
      this.#loading = undefined;
      throw loadError(error);
    }
  }

  async #compile(): Promise<WebAssembly.Module> {
    return compileFrom(undefined, this);
  }

  #placeholderAt(place: number) {
    return (...values: unknown[]): unknown => {
      this.#compiled ??= fetchNow(this.#address!);
      this.#join();
      return (this.#table!.get(place) as (...values: unknown[]) => unknown)(...values);
    };
  }

  // At once, so that nothing is called meanwhile. The part has no memory and no state of its own.
  #join(): void {
    if (this.#isThere) return;
    const rest = this.#compiled!;
    if (buildOf(rest) !== buildOf(this.#first!)) {
      throw new Error(
        'Its second part belongs to another build of the package: load the page again.',
      );
    }
    new WebAssembly.Instance(rest, { primary: this.#exports! as WebAssembly.ModuleImports });
    this.#isThere = true;
  }
}

// Undefined, if it cannot be fetched within a call. Some bundlers leave an address that is not
// valid, and then the error comes when the module is compiled.
function addressOf(source: () => WasmSource): string | undefined {
  try {
    const given = source();
    const address = isUrl(given) ? given.href : given;
    const isFetched = typeof address === 'string' && /^https?:/.test(address);
    return isFetched && typeof XMLHttpRequest !== 'undefined' ? address : undefined;
  } catch {
    return undefined;
  }
}

const isTable = (value: unknown): value is WebAssembly.Table =>
  tagOf(value) === 'WebAssembly.Table';

// Both parts of a build have the same text in this section. Parts of two builds would fit together,
// and corrupt the memory.
function buildOf(part: WebAssembly.Module): string {
  const [section] = WebAssembly.Module.customSections(part, 'entitable-build');
  return new TextDecoder().decode(section);
}

// A request that is not asynchronous gets texts only; each character is a byte.
function fetchNow(address: string): WebAssembly.Module {
  const request = new XMLHttpRequest();
  request.open('GET', address, false);
  request.overrideMimeType('text/plain; charset=x-user-defined');
  request.send();
  if (request.status !== 200) throw new Error(`${address} answered ${request.status}`);
  const bytes = Uint8Array.from(request.responseText, (character) => character.charCodeAt(0));
  return new WebAssembly.Module(bytes);
}
