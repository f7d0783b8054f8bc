// here.ts - a worker that shares the thread of the test.

import type { PageStorage } from '../../../../js/src/storage/page-storage.js';
import { AccountServer } from '../../../../js/src/worker/account-server.js';
import type { Hello, WorkerMessage } from '../../../../js/src/worker/messages.js';

/** A worker that shares this thread, and the messages that were posted to it. */
export class WorkerHere {
  readonly posted: unknown[][] = [];
  #port: MessagePort | undefined;
  #lock: string | undefined;
  readonly #storage: PageStorage | undefined;

  constructor(storage?: PageStorage) {
    this.#storage = storage;
  }

  postMessage(message: unknown): void {
    const { port } = message as Hello;
    this.#port = port;
    const post = port.postMessage.bind(port);
    port.postMessage = (messages: WorkerMessage[], transfer?: unknown) => {
      for (const one of messages) if (one.kind === 'ready') this.#lock = one.workerLock;
      post(messages, transfer as never);
    };
    const server = new AccountServer(port, this.#storage);
    const { onmessage } = port;
    port.onmessage = (event: MessageEvent<unknown[]>) => {
      this.posted.push(event.data);
      onmessage!.call(port, event);
    };
    server.begin();
  }

  /** Ends as a thread does: silently. */
  end(): void {
    this.#port!.close();
    const taken = globalThis.navigator?.locks?.request(
      this.#lock!,
      { steal: true },
      () => undefined,
    );
    taken?.catch(() => undefined);
  }
}
