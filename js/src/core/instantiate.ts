/**
 * Compiles and instantiates a WebAssembly module, wherever it runs.
 *
 * @module
 */

import { TableError } from '../errors.js';
import { isBufferSource, isModule, isUrl } from '../kinds.js';
import type { ResponseLike, UrlLike } from '../platform.js';
import type { CoreModule, CreateModule } from './module.js';

/**
 * Where the module comes from: its address, a response that brings it, its bytes,
 * or the module itself where the platform compiles it (Cloudflare Workers).
 */
export type WasmSource =
  | UrlLike
  | string
  | ResponseLike
  | Promise<ResponseLike>
  | ArrayBuffer
  | ArrayBufferView
  // A `WebAssembly.Module`, of which compilers know no members.
  | object;

/**
 * Returns a new instance. The compiled module behind it is kept, so that a second
 * instance from the same source costs next to nothing.
 *
 * @internal
 * @param createModule - the glue that belongs to the module.
 * @param beside - where the module is, if no source is given.
 * @throws {@link TableError} `ModuleAborted`, with the cause, if it cannot be loaded.
 */
export async function instantiateModule(
  createModule: CreateModule,
  source: WasmSource | undefined,
  beside: () => URL,
): Promise<CoreModule> {
  try {
    return await instantiate(createModule, await compileOnce(source ?? beside()));
  } catch (cause) {
    throw loadError(cause, source);
  }
}

/**
 * What to report when a module cannot be loaded.
 *
 * @internal
 */
export function loadError(cause: unknown, source: unknown): TableError {
  const sentence =
    source === undefined
      ? 'The option wasm says where it is; where the platform compiles it, it is the module itself.'
      : undefined;
  return new TableError('ModuleAborted', 'The WebAssembly module cannot be loaded.', {
    sentence,
    cause,
  });
}

// Either cache, seen by those who do not care which.
interface ModuleCache {
  get(source: unknown): Promise<WebAssembly.Module> | undefined;
  set(source: unknown, compiled: Promise<WebAssembly.Module>): unknown;
  delete(source: unknown): boolean;
}

let byAddress: ModuleCache | undefined;
let byObject: ModuleCache | undefined;

function compileOnce(source: WasmSource): Promise<WebAssembly.Module> {
  if (isUrl(source)) source = source.href;
  const cache =
    typeof source === 'string'
      ? (byAddress ??= new Map<unknown, Promise<WebAssembly.Module>>())
      : (byObject ??= new WeakMap() as ModuleCache);
  let compiled = cache.get(source);
  if (!compiled) {
    compiled = compile(source);
    cache.set(source, compiled);
    // A failure is not kept: the next call tries again.
    compiled.catch(() => cache.delete(source));
  }
  return compiled;
}

async function compile(source: WasmSource): Promise<WebAssembly.Module> {
  // At once: the caller may reuse the bytes.
  if (isBufferSource(source)) return WebAssembly.compile(source);
  const given = typeof source === 'string' ? await fetchModule(source) : await source;
  if (isModule(given)) return given;
  return 'arrayBuffer' in given
    ? compileResponse(given as Response)
    : WebAssembly.compile(given as BufferSource);
}

async function fetchModule(address: string): Promise<Response | BufferSource> {
  if (!address.startsWith('file:')) return fetch(address);
  // Only Node and its like have file: addresses.  A name that is not a literal is
  // left alone by bundlers.
  const fileSystem = 'node:fs/promises';
  const { readFile } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ fileSystem)) as {
    readFile: (address: URL) => Promise<BufferSource>;
  };
  return readFile(new URL(address));
}

async function compileResponse(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}`);
  // Browsers stream only under the right MIME type, which many servers do not know.
  return response.headers.get('Content-Type') === 'application/wasm'
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

// The glue's own promise never settles when the instance cannot be made.
function instantiate(createModule: CreateModule, module: WebAssembly.Module): Promise<CoreModule> {
  return new Promise((resolve, reject) => {
    createModule({
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(module, imports)
          .then((instance) => receive(instance, module))
          .catch(reject);
        return {};
      },
    }).then(resolve, reject);
  });
}
