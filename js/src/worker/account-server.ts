/**
 * Serves one account in a worker to the page at the other end of a port.
 *
 * @module
 */

import createModule from '#entitable-core';

import { TableError } from '../base/errors.js';
import { compileFrom, type WasmSource } from '../core/compile.js';
import type { EntryModule } from '../core/load-module.js';
import { openSession } from '../core/open-session.js';
import { RestOfModule } from '../core/rest-of-module.js';
import type { Session } from '../core/session.js';
import type { PageStorage } from '../storage/page-storage.js';
import { holdLock, whenEnded } from './life.js';
import {
  MessageQueue,
  type OpenMessage,
  type PageMessage,
  type RequestMessage,
  type WorkerMessage,
} from './messages.js';
import { posted } from './posted-error.js';
import { storageFrom } from './storages.js';

const KIND = { createModule, file: 'entitable.wasm' };

interface SentModules {
  readonly resolve: (modules: readonly WebAssembly.Module[]) => void;
  readonly reject: (reason: Error) => void;
}

/** One account, from the opening to the end. */
export class AccountServer {
  readonly #port: MessagePort;
  readonly #ownStorage: PageStorage | undefined;
  readonly #queue: MessageQueue<WorkerMessage, PageMessage>;

  // Of the requests that the page may abort.
  readonly #aborts = new Map<number, AbortController>();
  #session: Session | undefined;
  #sent: SentModules | undefined;
  #stopWatching: (() => void) | undefined;
  #releaseLock: (() => void) | undefined;
  #isOver = false;

  /** @param ownStorage - for a page that sends no storage. */
  constructor(port: MessagePort, ownStorage: PageStorage | undefined) {
    this.#port = port;
    this.#ownStorage = ownStorage;
    this.#queue = new MessageQueue<WorkerMessage, PageMessage>(
      port,
      (message) => this.#receive(message),
      () => this.#refuse(unreadable()),
    );
  }

  /** Tells the page that this script runs. */
  begin(): void {
    const workerLock = `entitable:worker:${crypto.randomUUID()}`;
    holdLock(workerLock).then(
      (release) => {
        this.#releaseLock = release;
        this.#queue.post({ kind: 'ready', workerLock });
      },
      (error: unknown) => this.#refuse(error),
    );
  }

  #receive(message: PageMessage): void {
    switch (message.kind) {
      case 'open':
        return void this.#open(message);
      case 'modules':
        return this.#sent?.resolve(message.modules);
      case 'request':
        return this.#submit(message);
      case 'abort':
        return this.#aborts.get(message.id)?.abort();
      case 'close':
        return void this.#close();
      default:
    }
  }

  async #open({ wasm, storage, pageLock, ...options }: OpenMessage): Promise<void> {
    this.#stopWatching = whenEnded(this.#port, pageLock, () => {
      this.#leave().catch(() => undefined);
    });
    try {
      const used = storage ? storageFrom(storage) : this.#requireStorage();
      const opened = await openSession(this.#entryOf(wasm), undefined, {
        ...options,
        storage: used,
      });
      this.#session = opened.session;
      // The page may have gone meanwhile.
      if (this.#isOver) return await this.#leave();
      const { storageKind } = opened.session;
      opened.session.onHint(() => this.#queue.post({ kind: 'hint' }));
      opened.session.onStatus((status) => this.#queue.post({ kind: 'status', status }));
      opened.session.onAbort((error) => {
        this.#queue.post({ kind: 'aborted', error: posted(error) });
      });
      this.#queue.post({ kind: 'opened', storageKind });
    } catch (error) {
      this.#refuse(error);
    }
  }

  // Only a page knows where its bundler has put the files. What it does not name, it compiles for
  // both. The second part is a promise and no address, so it is there from the beginning.
  #entryOf(wasm: readonly unknown[]): EntryModule {
    const sent = new Promise<readonly WebAssembly.Module[]>((resolve, reject) => {
      this.#sent = { resolve, reject };
    });
    sent.catch(() => undefined);
    const [source, rest] = wasm.map((given, at) => async () => {
      return compileFrom(undefined, {
        source: () => (given as WasmSource | undefined) ?? sent.then((modules) => modules[at]!),
      });
    });
    return { kind: KIND, source: source!, ...(rest && { rest: () => new RestOfModule(rest) }) };
  }

  #requireStorage(): PageStorage {
    if (this.#ownStorage) return this.#ownStorage;
    const message = 'openAccount needs the option storage: the worker has no storage of its own.';
    throw new TableError('InvalidInput', message);
  }

  #refuse(error: unknown): void {
    this.#queue.post({ kind: 'refused', error: posted(error) });
    this.#end();
  }

  #submit({ id, canAbort, frame, form, contentBytes, ...submission }: RequestMessage): void {
    let signal: AbortSignal | undefined;
    if (canAbort) {
      const controller = new AbortController();
      this.#aborts.set(id, controller);
      ({ signal } = controller);
    }
    const { length: mostBytes } = frame;
    this.#session!.submit({
      ...submission,
      frame: () => ({ form, mostBytes, contentBytes, write: (writer) => void writer.raw(frame) }),
      read: (answer) => answer.slice(),
      signal,
    }).then(
      (answer) => {
        this.#aborts.delete(id);
        this.#queue.post({ kind: 'answer', id, frame: answer }, answer.buffer);
      },
      (error: unknown) => {
        this.#aborts.delete(id);
        if (!signal?.aborted) this.#queue.post({ kind: 'failure', id, error: posted(error) });
      },
    );
  }

  async #close(): Promise<void> {
    let error;
    try {
      await this.#session?.close();
    } catch (cause) {
      error = posted(cause);
    }
    this.#queue.post({ kind: 'closed', error });
    this.#end();
  }

  // The page has gone, so nobody waits for an answer.
  async #leave(): Promise<void> {
    this.#end();
    this.#queue.close();
    await this.#session?.close();
  }

  // The page closes the port when it has the last message.
  #end(): void {
    this.#isOver = true;
    this.#sent?.reject(new Error('the page has sent no module'));
    this.#stopWatching?.();
    this.#releaseLock?.();
  }
}

function unreadable(): TableError {
  const sentence =
    'A SharedWorker cannot take a compiled module: give its address or its bytes. Elsewhere, ' +
    "the Content-Security-Policy of the worker's script needs 'wasm-unsafe-eval'.";
  return new TableError('ModuleAborted', 'The worker cannot read what the page has sent.', {
    sentence,
  });
}

/** Answers a page whose messages have another form. */
export function refuseVersion(port: MessagePort): void {
  const message = 'The page and the worker have different versions of entitable.';
  const sentence = 'A SharedWorker runs until all its pages are closed: reload them all.';
  const error = new TableError('ScriptNotLoaded', message, { sentence });
  port.postMessage([{ kind: 'refused', error: posted(error) } satisfies WorkerMessage]);
}
