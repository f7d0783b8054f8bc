import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { loadError } from '../../../js/src/core/compile.js';
import { loadValidator } from '../../../js/src/index.js';
import { loadPageModule } from '../support/modules.js';
import { tableError } from '../support/rejection.js';
import { verifyWasmBytes, wasmBytes } from '../support/wasm.js';

let bytes: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  bytes = await wasmBytes();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const response = (type = 'application/wasm') =>
  new Response(bytes, { headers: { 'Content-Type': type } });

describe('the module', () => {
  it('is found beside the script by default', async () => {
    expect((await loadValidator()).validateKey('rex')).toEqual([]);
  });

  it('is taken from wherever it comes', async () => {
    const sources = [
      bytes,
      bytes.buffer,
      await WebAssembly.compile(bytes),
      response(),
      response('text/plain'),
      Promise.resolve(response()),
      `data:application/wasm;base64,${btoa(bytes.reduce((all, byte) => all + String.fromCharCode(byte), ''))}`,
    ];

    for (const source of sources) {
      expect((await loadPageModule(source)).HEAPU8).toBeInstanceOf(Uint8Array);
    }
  });

  it('is compiled while it arrives, if it has the right content type', async () => {
    const streaming = vi.spyOn(WebAssembly, 'compileStreaming');

    await loadPageModule(response());
    await loadPageModule(response('application/octet-stream'));

    expect(streaming).toHaveBeenCalledOnce();
  });

  it('is fetched and compiled once for each address, and instantiated for each caller', async () => {
    const fetched = vi.fn(async () => response());
    vi.stubGlobal('fetch', fetched);
    const address = 'https://example.test/once.wasm';

    const modules = [
      ...(await Promise.all([loadPageModule(address), loadPageModule(new URL(address))])),
      await loadPageModule(address),
    ];

    expect(fetched).toHaveBeenCalledOnce();
    expect(new Set(modules.map(({ HEAPU8 }) => HEAPU8.buffer)).size).toBe(3);
  });

  it('is fetched again after a failure', async () => {
    vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
    const address = 'https://example.test/late.wasm';
    const error = await tableError(loadPageModule(address));
    expect(error.code).toBe('ModuleAborted');
    expect(error.message).toContain('answered 404 (text/plain;charset=UTF-8)');

    vi.stubGlobal('fetch', async () => response());

    expect((await loadPageModule(address)).Engine).toBeTypeOf('function');
  });

  it('is refused, with its address, if a page came in its place', async () => {
    const address = 'https://example.test/entitable.wasm';
    const page = new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } });
    Object.defineProperty(page, 'url', { value: address });
    vi.stubGlobal('fetch', async () => page);

    const error = await tableError(loadPageModule(address));

    expect(error.code).toBe('ModuleAborted');
    expect(error.message).toContain(`${address} answered 200 (text/html), no WebAssembly module`);
  });

  it('is reported as what a Content-Security-Policy forbids', () => {
    const said = 'WebAssembly.compile(): violates the following Content Security Policy directive';
    // Firefox ends it with a full stop.
    const { message } = loadError(new WebAssembly.CompileError(`${said}.`), undefined, {
      source: () => '',
      inlineEntry: 'entitable/inline',
    });

    expect(message).toContain(`${said}. The Content-Security-Policy of the page needs 'wasm-uns`);
    expect(message).not.toContain('bundler');
  });

  it('is reported with its address if there is no network', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    const address = 'https://example.test/offline.wasm';

    const { message } = await tableError(loadPageModule(address));

    expect(message).toContain(`${address} did not answer`);
  });

  it.each([
    ['bytes that are no module', () => Uint8Array.of(1, 2, 3)],
    ['a module that is another one', () => Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)],
    ['a response that fails', () => Promise.reject(new TypeError('no network'))],
  ])('is not made of %s', async (_what, source) => {
    const error = await tableError(loadPageModule(source()));

    expect(error.code).toBe('ModuleAborted');
    expect(error.cause).toBeInstanceOf(Error);
  });

  it('says that there is no memory for it, and not that it is another one', async () => {
    const compiled = await WebAssembly.compile(await wasmBytes());
    const cause = new RangeError('Out of memory: Cannot allocate Wasm memory for new instance');
    vi.spyOn(WebAssembly, 'instantiate').mockRejectedValue(cause);

    const error = await tableError(loadPageModule(compiled));

    expect(error).toMatchObject({ code: 'ModuleAborted', cause });
    expect(error.message).toMatch(/There is no memory for one more\./);
    expect(error.message).not.toContain('version');
  });

  it('is entitable.wasm; an error for another module has that name', async () => {
    const error = await tableError(loadPageModule(await verifyWasmBytes()));

    expect(error.code).toBe('ModuleAborted');
    expect(error.message).toContain('entitable.wasm');
  });
});
