/**
 * Waits for transactions, but not for ever.
 *
 * @module
 */

// A transaction that is silent for so long may never end: WebKit loses the process behind it
// without an event.
export const SILENCE_MS = 10_000;

type Reject = (cause: unknown) => void;

/**
 * Does `work` with a transaction. Rejects when its connection closes or falls silent before there
 * is a result.
 */
export async function untilLost<T>(
  { db }: IDBTransaction,
  work: (resolve: (value: T) => void, reject: Reject) => void,
): Promise<T> {
  let watch = watches.get(db);
  if (!watch) watches.set(db, (watch = new Watch(db)));
  let reject: Reject;
  try {
    return await new Promise<T>((resolve, itsReject) => {
      reject = itsReject;
      watch.begin(reject);
      work(resolve, reject);
    });
  } finally {
    watch.end(reject!);
  }
}

const watches = new WeakMap<IDBDatabase, Watch>();

// One timer for all waiting transactions of a connection. To set and clear a timer for each
// transaction would take as long as a request.
class Watch {
  readonly #connection: IDBDatabase;
  readonly #waitingSince = new Map<Reject, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(connection: IDBDatabase) {
    this.#connection = connection;
    connection.addEventListener('close', () => {
      this.#rejectAll(new Error('The connection to IndexedDB was closed.'));
    });
  }

  begin(reject: Reject): void {
    this.#waitingSince.set(reject, performance.now());
    this.#timer ??= setTimeout(this.#check, SILENCE_MS);
  }

  end(reject: Reject): void {
    this.#waitingSince.delete(reject);
  }

  readonly #check = (): void => {
    this.#timer = undefined;
    const [oldest] = this.#waitingSince.values();
    if (oldest === undefined) return;
    const left = oldest + SILENCE_MS - performance.now();
    if (left > 0) {
      this.#timer = setTimeout(this.#check, left);
      return;
    }
    this.#rejectAll(new Error(`IndexedDB has not answered for ${SILENCE_MS} ms.`));
    this.#connection.close();
    this.#connection.dispatchEvent(new Event('close'));
  };

  #rejectAll(cause: Error): void {
    for (const reject of this.#waitingSince.keys()) reject(cause);
    this.#waitingSince.clear();
  }
}
