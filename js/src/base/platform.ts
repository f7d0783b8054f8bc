/**
 * Types of the platform, where the compiler of an application knows them; elsewhere those members
 * that the package and its users need. So the declarations of the package compile with the types
 * of the DOM, of Workers, of Node, Deno and Bun, and with none of them.
 *
 * @module
 */

/** An `AbortSignal`, or something that behaves like one. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  /** What calls are rejected with; an `AbortError`, if it has none. */
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** A `URL`. */
export interface UrlLike {
  readonly href: string;
}

/** What the package needs of a `Response`. */
export interface ResponseLike {
  readonly ok: boolean;
  readonly status: number;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** What the package needs of a `ReadableStream`. */
export interface StreamLike<T> {
  getReader(): {
    read(): Promise<{ done: boolean; value?: T | undefined }>;
    cancel(reason?: unknown): Promise<void>;
  };
  cancel(reason?: unknown): Promise<void>;
}

/** A `Uint8Array` with memory of its own: not every compiler can say so in another way. */
export type OwnBytes = ReturnType<Uint8Array['slice']>;

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

// Never, where the compiler does not know the symbol.
type AsyncDisposeSymbol<C = SymbolConstructor> = C extends {
  readonly asyncDispose: infer Name extends symbol;
}
  ? Name
  : never;

/** What `await using` takes, where the compiler knows it. */
export type MaybeAsyncDisposable = { [Name in AsyncDisposeSymbol]: () => Promise<void> };
