// site.ts - the site that the browsers visit.  Whoever runs its script, a tab, a worker or a
// service worker, is an actor: it is given orders over a socket, and tells what happens.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { build } from 'esbuild';
import { onTestFinished } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';

import type { Commands } from '../actor/commands.js';

type CommandName = keyof Commands;

/** Somebody who runs the script of the site. */
export interface Actor {
  /**
   * Has it carry out a command, and rejects if that fails there, with its code, or if it is gone.
   */
  call<Name extends CommandName>(
    name: Name,
    ...parameters: Parameters<Commands[Name]>
  ): Promise<Awaited<ReturnType<Commands[Name]>>>;

  /** Is called with each thing that it tells, before it goes on. */
  onTold: (told: unknown) => void;
}

export interface Site {
  /** Where the actor of that name is a tab. */
  url(actor: string): string;

  /** The actor of that name, once it is there: the next one, if one was there before. */
  actor(name: string): Promise<Actor>;
}

/** Serves the site for the length of the test. */
export async function openSite(): Promise<Site> {
  const files = await siteFiles();
  const server = createServer((request, response) => answer(files, request, response));
  const arrivals = new Map<string, Mailbox<Actor>>();
  const mailbox = (name: string) => {
    if (!arrivals.has(name)) arrivals.set(name, new Mailbox());
    return arrivals.get(name)!;
  };
  // Nothing is compressed, and nothing is too long to be told.
  const sockets = new WebSocketServer({ server, maxPayload: 2 ** 28, perMessageDeflate: false });
  sockets.on('connection', (socket, request) => {
    const name = new URL(request.url!, 'http://localhost').searchParams.get('actor')!;
    const actor = new RemoteActor(socket);
    mailbox(name).put(actor);
    socket.on('close', () => mailbox(name).remove(actor));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
    server.closeAllConnections();
  });
  // An IP address: WebKitGTK has no loopback exception for names when it decides what is secure.
  const { port } = server.address() as AddressInfo;
  return {
    url: (actor) => `http://127.0.0.1:${port}/?actor=${actor}`,
    actor: (name) => mailbox(name).take(),
  };
}

/** What an order is rejected with whose actor was killed, or loaded anew. */
export class Gone extends Error {
  override readonly name = 'Gone';
  override readonly message = 'The actor is gone.';
}

class RemoteActor implements Actor {
  onTold: Actor['onTold'] = () => undefined;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithReject>();
  #orders = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => this.#hear(JSON.parse(String(data))));
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Gone());
    });
  }

  call(name: string, ...parameters: unknown[]): Promise<never> {
    if (this.#socket.readyState !== this.#socket.OPEN) return Promise.reject(new Gone());
    const order = ++this.#orders;
    this.#socket.send(JSON.stringify({ order, name, parameters }));
    return new Promise((resolve, reject) => this.#waiting.set(order, { resolve, reject }));
  }

  #hear({ told, tale, order, value, error }: Message): void {
    if (tale !== undefined) {
      this.onTold(told);
      this.#socket.send(JSON.stringify({ heard: tale }));
    } else if (order !== undefined) {
      const { resolve, reject } = this.#waiting.get(order)!;
      this.#waiting.delete(order);
      if (error === undefined) resolve(value as never);
      else reject(Object.assign(new Error(error.message), { code: error.code }));
    }
  }
}

interface PromiseWithReject {
  resolve(value: never): void;
  reject(reason: unknown): void;
}

// What an actor sends: a tale, or the end of an order.
interface Message {
  readonly tale?: number;
  readonly told?: unknown;
  readonly order?: number;
  readonly value?: unknown;
  readonly error?: { readonly code?: string; readonly message: string };
}

// Whoever comes first, the thing or the one who takes it, waits for the other.
class Mailbox<T> {
  readonly #things: T[] = [];
  readonly #takers: ((thing: T) => void)[] = [];

  put(thing: T): void {
    const taker = this.#takers.shift();
    if (taker) taker(thing);
    else this.#things.push(thing);
  }

  remove(thing: T): void {
    const at = this.#things.indexOf(thing);
    if (at >= 0) this.#things.splice(at, 1);
  }

  async take(): Promise<T> {
    return this.#things.shift() ?? new Promise((resolve) => this.#takers.push(resolve));
  }
}

// As strict as an application may be: a frame of ours must do under it, too.
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "connect-src 'self' ws://127.0.0.1:*",
].join('; ');

interface File {
  readonly type: string;
  readonly body: string | Buffer;
}

async function siteFiles(): Promise<ReadonlyMap<string, File>> {
  const page =
    '<!doctype html><meta charset="utf-8"><title>actor</title><script src="actor.js"></script>';
  return new Map<string, File>([
    ['/', { type: 'text/html', body: page }],
    ['/actor.js', { type: 'text/javascript', body: await actorScript() }],
    [
      '/entitable.wasm',
      { type: 'application/wasm', body: readFileSync('build/js/entitable.wasm') },
    ],
  ]);
}

let script: Promise<string> | undefined;

// A classic script, because service workers are not modules everywhere.
function actorScript(): Promise<string> {
  return (script ??= build({
    entryPoints: [new URL('../actor/main.ts', import.meta.url).pathname],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    define: { 'import.meta.url': 'self.location.href' },
    logLevel: 'error',
  }).then(({ outputFiles }) => outputFiles[0]!.text));
}

function answer(
  files: ReadonlyMap<string, File>,
  { url }: IncomingMessage,
  response: ServerResponse,
): void {
  const file = files.get(new URL(url!, 'http://localhost').pathname);
  if (!file) return void response.writeHead(404).end();
  response.writeHead(200, {
    'content-type': file.type,
    'content-security-policy': POLICY,
    // One that forbids to store a page would keep it out of the back/forward cache.
    'cache-control': 'no-cache',
  });
  response.end(file.body);
}
