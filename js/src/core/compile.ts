/**
 * Finds and compiles a WebAssembly module, on every platform.
 *
 * @module
 */

import { TableError } from '../base/errors.js';
import { inNextTurn } from '../base/next-turn.js';
import { isBufferSource, isModule, isUrl } from '../base/kinds.js';
import type { ResponseLike, UrlLike } from '../base/platform.js';

/**
 * The source of the module: its address, a response with it, its bytes, or the module itself if the
 * platform compiles it (Cloudflare Workers).
 */
export type WasmSource =
  | UrlLike
  | string
  | ResponseLike
  | Promise<ResponseLike>
  | ArrayBuffer
  | ArrayBufferView
  // A `WebAssembly.Module`; compilers know no members of it.
  | object;

/**
 * Where an entry finds its module if the option `wasm` is not given.
 *
 * @internal
 */
export interface ModulePlace {
  /** The address or the bytes. May throw: some bundlers leave an address that is not valid. */
  readonly source: () => WasmSource;

  /** The entry that has the same module as text, for the error message. */
  readonly inlineEntry?: string;
}

/** @internal */
export const NOT_LOADED = 'The WebAssembly module cannot be loaded.';

/**
 * The error of a module that cannot be loaded.
 *
 * @internal
 */
export function loadError(
  cause: unknown,
  given?: WasmSource,
  { inlineEntry }: Partial<ModulePlace> = {},
): TableError {
  const { message } = cause as Error;
  const needed = message.includes('connect-src')
    ? 'the origin of this address in connect-src'
    : "'wasm-unsafe-eval' in script-src";
  const remedy = isForbidden(cause)
    ? `. The Content-Security-Policy of the page needs ${needed}.`
    : given === undefined && inlineEntry
      ? `. If a bundler did not copy the file, use the entry "${inlineEntry}" or set the option wasm: see node_modules/entitable/docs/guides/bundlers.md.`
      : '';
  return new TableError('ModuleAborted', NOT_LOADED, {
    sentence: remedy ? message.replace(/\.$/, '') + remedy : message,
    cause,
  });
}

// A policy forbids to fetch the module, or to compile any. Of the latter, Chromium and Firefox name
// the policy, and WebKit the method that it refuses.
const isForbidden = (cause: unknown) =>
  /Content.Security.Policy|unsafe-eval|\bCSP\b/i.test((cause as Error).message);

// The type of both caches.
interface ModuleCache {
  get(source: unknown): Promise<WebAssembly.Module> | undefined;
  set(source: unknown, compiled: Promise<WebAssembly.Module>): unknown;
  delete(source: unknown): boolean;
}

let byAddress: ModuleCache | undefined;
let byObject: ModuleCache | undefined;

/**
 * Returns the compiled module. It is cached, so a second call with the same source is cheap.
 *
 * @internal
 * @param given - the option `wasm`.
 * @throws or rejects with the reason; `loadError()` makes a `TableError` of it.
 */
export function compileFrom(
  given: WasmSource | undefined,
  place: ModulePlace,
): Promise<WebAssembly.Module> {
  let source = given ?? place.source();
  if (isUrl(source)) source = source.href;
  const cache =
    typeof source === 'string'
      ? (byAddress ??= new Map<unknown, Promise<WebAssembly.Module>>())
      : (byObject ??= new WeakMap() as ModuleCache);
  let compiled = cache.get(source);
  if (!compiled) {
    compiled = compile(source);
    cache.set(source, compiled);
    // A failure is not cached: the next call tries again.
    compiled.catch(() => cache.delete(source));
  }
  return compiled;
}

async function compile(source: WasmSource): Promise<WebAssembly.Module> {
  // At once, because the caller may reuse the bytes.
  if (isBufferSource(source)) return WebAssembly.compile(source);
  const given = typeof source === 'string' ? await fetchModule(source) : await source;
  if (isModule(given)) return given;
  return 'arrayBuffer' in given
    ? compileResponse(given as Response)
    : WebAssembly.compile(given as BufferSource);
}

interface FileSystem {
  readFile(address: URL): Promise<BufferSource>;
}

interface NodeProcess {
  getBuiltinModule?(name: 'node:fs/promises'): FileSystem;
}

async function fetchModule(address: string): Promise<Response | BufferSource> {
  if (address.startsWith('file:')) {
    // Node's fetch() reads no files. Bundlers would warn of an import() here.
    const { process } = globalThis as { process?: NodeProcess };
    const fileSystem = process?.getBuiltinModule?.('node:fs/promises');
    if (fileSystem) return fileSystem.readFile(new URL(address));
  }
  let isForbidden = false;
  const note = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent) => {
    const { href } = new URL(address, location.href);
    isForbidden ||= effectiveDirective === 'connect-src' && blockedURI === href;
  };
  const target = globalThis.document ?? globalThis;
  target.addEventListener?.('securitypolicyviolation', note);
  try {
    return await fetch(address);
  } catch (cause) {
    // The page learns of a violation in a task of its own. The error is that of no network.
    await new Promise<void>(inNextTurn);
    const seen = isForbidden
      ? 'is forbidden by the connect-src of a Content-Security-Policy'
      : 'did not answer';
    throw new Error(`${address} ${seen}`, { cause });
  } finally {
    target.removeEventListener?.('securitypolicyviolation', note);
  }
}

// The server of a single-page app answers with its page if a file is missing.
async function compileResponse(response: Response): Promise<WebAssembly.Module> {
  const type = response.headers.get('Content-Type');
  try {
    // Browsers stream only with the right MIME type, which many servers do not know.
    return await (response.ok && type === 'application/wasm'
      ? WebAssembly.compileStreaming(response)
      : WebAssembly.compile(await response.arrayBuffer()));
  } catch (cause) {
    if (isForbidden(cause)) throw cause;
    const kind = type ? ` (${type})` : '';
    const answer = `${response.status}${kind}, no WebAssembly module`;
    throw new Error(`${response.url} answered ${answer}`, { cause });
  }
}
