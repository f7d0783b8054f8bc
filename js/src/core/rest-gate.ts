/**
 * Requests that wait for the second part of the module.
 *
 * @module
 */

import { inNextTurn } from '../base/next-turn.js';
import type { Operation } from './operation.js';
import { QueuedRequests, type QueuedRequest } from './queued-requests.js';
import type { RestOfModule } from './rest-of-module.js';

type Kind = Operation['kind'];

// What apps do until their first list stands. `scripts/split-module/first-screen.ts` does each of
// these, so the first part has the code for them.
const ENTITIES: readonly Kind[] = ['getEntity', 'queryEntities', 'queryOrdered'];
const OTHERS: readonly Kind[] = ['createTable', 'queryTables', 'countEntities', 'awaitChanges'];

/** Whether the first part of a module is enough for an operation. */
export function isOfFirstScreen({ kind, asValues, asLines, parts, ranges }: Operation): boolean {
  if (parts || ranges || asLines) return false;
  return OTHERS.includes(kind) || (ENTITIES.includes(kind) && !!asValues);
}

/** Open as soon as the whole module is there. */
export class RestGate {
  readonly #rest: RestOfModule | undefined;
  readonly #onOpen: () => void;
  readonly #queued = new QueuedRequests(() => this.isOpen);
  #isFetching = false;
  #isFetchedSoon = false;

  /** @param rest - undefined, if the module is in one part. */
  constructor(rest: RestOfModule | undefined, onOpen: () => void) {
    this.#rest = rest;
    this.#onOpen = onOpen;
  }

  get isOpen(): boolean {
    return this.#rest?.isThere ?? true;
  }

  /** Takes a request that needs the whole module. */
  add(request: QueuedRequest): void {
    this.#queued.add(request);
    this.#fetch();
  }

  /** The app has its first answer: from now on, the network and the processor are free. */
  fetchSoon(): void {
    if (this.isOpen || this.#isFetchedSoon) return;
    this.#isFetchedSoon = true;
    inNextTurn(() => this.#fetch());
  }

  /** Rejects all that wait. */
  rejectAll(reason: () => unknown): void {
    this.#queued.rejectAll(reason);
  }

  // If it fails, a later request tries again.
  #fetch(): void {
    if (this.#isFetching) return;
    this.#isFetching = true;
    this.#rest!.ready().then(
      () => {
        this.#onOpen();
        this.#queued.begin();
      },
      (error: unknown) => {
        this.#isFetching = false;
        this.rejectAll(() => error);
      },
    );
  }
}
