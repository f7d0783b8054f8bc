/**
 * Types of the platform, if the compiler of an app knows them; else the members that the package
 * and its users need. The declarations of the package therefore compile with the types of the DOM,
 * of Workers, of Node, Deno and Bun, and with none of them.
 *
 * @module
 */

/** An `AbortSignal`, or an object that behaves like one. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  /** The reason that calls are rejected with; an `AbortError`, if there is none. */
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** An `AbortSignal` that the platform takes: `fetch()`, say. */
export type PlatformAbortSignal = typeof globalThis extends {
  AbortSignal: { prototype: infer T };
}
  ? T
  : AbortSignalLike;

/** A `URL`. */
export interface UrlLike {
  readonly href: string;
}

/** The members of a `Response` that the package needs. */
export interface ResponseLike {
  readonly ok: boolean;
  readonly status: number;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** The members of a `ReadableStream` that the package needs. */
export interface StreamLike<T> {
  getReader(): {
    read(): Promise<{ done: boolean; value?: T | undefined }>;
    cancel(reason?: unknown): Promise<void>;
  };
  cancel(reason?: unknown): Promise<void>;
}

/** A `MessagePort`. */
export interface PortLike extends WorkerLike {
  start(): void;
}

/** A `Uint8Array` with memory of its own. Not every compiler has another name for it. */
export type OwnBytes = ReturnType<Uint8Array['slice']>;

/**
 * A `Worker`, the port of a `SharedWorker`, or a port whose other end is an option of
 * `serveAccounts()`.
 */
export interface WorkerLike {
  postMessage(message: unknown, transfer: object[]): void;
}

/** A `ReadableStream` of bytes: the type of the body of a `Response`. */
export type ByteStream = typeof globalThis extends {
  Response: { prototype: { body: infer Body } };
}
  ? NonNullable<Body>
  : StreamLike<Uint8Array>;

/** A `Request`. */
export type PlatformRequest = typeof globalThis extends { Request: { prototype: infer T } }
  ? T
  : { readonly url: string; readonly method: string };

/** A `Response`. */
export type PlatformResponse = typeof globalThis extends { Response: { prototype: infer T } }
  ? T
  : ResponseLike;

/** An element of a page. */
export type PlatformElement = typeof globalThis extends { Element: { prototype: infer T } }
  ? T
  : object;

/** A `FormData`. */
export type PlatformFormData = typeof globalThis extends { FormData: { prototype: infer T } }
  ? T
  : {
      getAll(name: string): unknown[];
      set(name: string, value: string): void;
      delete(name: string): void;
    };

/** A `Blob`. */
export type PlatformBlob = typeof globalThis extends { Blob: { prototype: infer T } }
  ? T
  : { readonly size: number; readonly type: string; arrayBuffer(): Promise<ArrayBuffer> };

// Never, if the compiler does not know the symbol.
type AsyncDisposeSymbol<C = SymbolConstructor> = C extends {
  readonly asyncDispose: infer Name extends symbol;
}
  ? Name
  : never;

/** The type of `await using`, if the compiler knows it. */
export type MaybeAsyncDisposable = { [Name in AsyncDisposeSymbol]: () => Promise<void> };
