// site.ts - the site that the browsers visit. A tab, a worker or a service worker with its script
// is an actor: it gets commands over a socket, and sends reports.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { build } from 'esbuild';
import { onTestFinished } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';

import type { Commands } from '../actor/commands.js';

type CommandName = keyof Commands;

/** A tab, a worker or a service worker with the script of the site. */
export interface Actor {
  /**
   * Sends a command. Rejects with the error and its code, or with {@link Gone}.
   */
  call<Name extends CommandName>(
    name: Name,
    ...parameters: Parameters<Commands[Name]>
  ): Promise<Awaited<ReturnType<Commands[Name]>>>;

  /** Called with each report. The actor waits for it. */
  onReport: (content: unknown) => void;
}

export interface Site {
  /** The address of a tab that is the actor of that name. */
  url(actor: string): string;

  /** Waits for the actor of that name; after an earlier one, for the next. */
  actor(name: string): Promise<Actor>;
}

/** Serves the site until the end of the test. */
export async function openSite(): Promise<Site> {
  const files = await siteFiles();
  const server = createServer((request, response) => answer(files, request, response));
  const arrivals = new Map<string, Mailbox<Actor>>();
  const mailbox = (name: string) => {
    if (!arrivals.has(name)) arrivals.set(name, new Mailbox());
    return arrivals.get(name)!;
  };
  // No compression, and no limit that a report could reach.
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

/** The error of a command to an actor that was killed or reloaded. */
export class Gone extends Error {
  override readonly name = 'Gone';
  override readonly message = 'The actor is gone.';
}

class RemoteActor implements Actor {
  onReport: Actor['onReport'] = () => undefined;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithReject>();
  #commands = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => this.#receive(JSON.parse(String(data))));
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Gone());
    });
  }

  call(name: string, ...parameters: unknown[]): Promise<never> {
    if (this.#socket.readyState !== this.#socket.OPEN) return Promise.reject(new Gone());
    const command = ++this.#commands;
    this.#socket.send(JSON.stringify({ command, name, parameters }));
    return new Promise((resolve, reject) => this.#waiting.set(command, { resolve, reject }));
  }

  #receive({ report, content, command, value, error }: Message): void {
    if (report !== undefined) {
      this.onReport(content);
      this.#socket.send(JSON.stringify({ acknowledged: report }));
    } else if (command !== undefined) {
      const { resolve, reject } = this.#waiting.get(command)!;
      this.#waiting.delete(command);
      if (error === undefined) resolve(value as never);
      else reject(Object.assign(new Error(error.message), { code: error.code }));
    }
  }
}

interface PromiseWithReject {
  resolve(value: never): void;
  reject(reason: unknown): void;
}

// A report of an actor, or its answer to a command.
interface Message {
  readonly report?: number;
  readonly content?: unknown;
  readonly command?: number;
  readonly value?: unknown;
  readonly error?: { readonly code?: string; readonly message: string };
}

// A queue: an item waits until it is taken, and `take` waits for an item.
class Mailbox<T> {
  readonly #items: T[] = [];
  readonly #takers: ((item: T) => void)[] = [];

  put(item: T): void {
    const taker = this.#takers.shift();
    if (taker) taker(item);
    else this.#items.push(item);
  }

  remove(item: T): void {
    const at = this.#items.indexOf(item);
    if (at >= 0) this.#items.splice(at, 1);
  }

  async take(): Promise<T> {
    return this.#items.shift() ?? new Promise((resolve) => this.#takers.push(resolve));
  }
}

// As strict as that of an app may be. Our code must work with it.
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
      '/axe.js',
      { type: 'text/javascript', body: readFileSync('node_modules/axe-core/axe.min.js') },
    ],
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
    define: {
      'import.meta.url': 'self.location.href',
      'process.env.NODE_ENV': '"production"',
    },
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
    // `no-store` would keep a page out of the back/forward cache.
    'cache-control': 'no-cache',
  });
  response.end(file.body);
}
