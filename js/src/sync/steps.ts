/**
 * The steps of sync that the core takes. `docs/internals/frames.md` has their arguments and
 * answers.
 *
 * @module
 */

import { explained } from '../client/failures.js';
import type { AccountSession } from '../core/account-session.js';

/** A key as two texts: PartitionKey and RowKey. */
export type KeyPair = readonly [partitionKey: string, rowKey: string];

/** Names the moment of a request. The answer is given to the core together with it. */
export interface Asked {
  readonly sequence: string;
  readonly askedAt: string;
}

/** A row in a conflict, as OData JSON; null: it is absent. */
export interface ConflictRow {
  readonly partitionKey: string;
  readonly rowKey: string;
  readonly isConflict: boolean;
  readonly base: object | null;
  readonly local: object | null;
  readonly remote: object | null;
}

/** A group of rows with a conflict that the app is to resolve. */
export interface ConflictGroup {
  readonly of: string;
  readonly rows: readonly ConflictRow[];
}

interface Refused {
  readonly partitionKey: string;
  readonly rowKey: string;
  readonly reason: string;
}

/** The members of the answers of all steps. */
export interface StepAnswer {
  readonly sequence: string;
  readonly now: string;
  /** Names the store, in the answer to `ask`. */
  readonly store?: string;
  readonly done?: boolean;
  readonly mayCreateTable?: boolean;
  readonly partitions?: readonly string[];
  readonly token?: string;
  readonly position?: string;
  readonly from?: string;
  readonly isComplete?: boolean;
  readonly changed?: unknown;
  readonly older?: readonly KeyPair[];
  readonly refused?: readonly Refused[];
  readonly conflicts?: readonly (ConflictGroup & Record<string, unknown>)[];
  readonly isUnsorted?: boolean;
  readonly missing?: readonly KeyPair[];
  readonly doubtful?: readonly KeyPair[];
  readonly unknown?: readonly KeyPair[];
  readonly known?: number;
  readonly isSuspicious?: boolean;
  readonly rows?: readonly KeyPair[];
  readonly number?: string;
  readonly sentAt?: string;
  readonly isSettling?: boolean;
  readonly contentType?: string;
  readonly body?: string;
  readonly next?: string;
  readonly error?: string;
  readonly rowKeys?: readonly string[];
  readonly partitionKey?: string;
  readonly rowKey?: string;
  readonly groups?: readonly PendingGroup[];
  readonly place?: string;
}

/** Rows that are pushed together. */
export interface PendingGroup {
  readonly number: string;
  readonly isRejected: boolean;
  readonly partitionKey: string;
  readonly rowKeys: readonly string[];
  readonly error: string;
}

/** The arguments of a step. Members that are undefined are left out. */
export type StepArguments = Readonly<Record<string, string | boolean | undefined>>;

/** The steps of one table. */
export class SyncSteps {
  readonly table: string;
  readonly #session: AccountSession;
  readonly #made: () => Promise<void>;

  /** @param made - resolves when the table is there. */
  constructor(session: AccountSession, table: string, made = () => Promise.resolve()) {
    this.#session = session;
    this.#made = made;
    this.table = table;
  }

  /**
   * Takes a step, and stores what it changes.
   *
   * @param texts - what the remote account has answered.
   * @throws {@link TableError} as any write.
   */
  async take(step: string, given: StepArguments = {}, texts: readonly string[] = []) {
    const sync = JSON.stringify({ step, ...given });
    const operation = { kind: 'syncTable', table: this.table, sync, body: joined(texts) } as const;
    try {
      await this.#made();
      const { body = '{}' } = await this.#session.request(operation);
      return JSON.parse(body) as StepAnswer;
    } catch (error) {
      throw explained(error, { table: this.table });
    }
  }

  /**
   * All rows that are not pushed yet, in the groups in which they are pushed.
   *
   * @throws {@link TableError} `InvalidInput`, if the table is not under sync.
   */
  async pendingGroups(): Promise<PendingGroup[]> {
    const all: PendingGroup[] = [];
    let place: string | undefined;
    do {
      const answer = await this.take('pending', { place });
      all.push(...(answer.groups ?? []));
      ({ place } = answer);
    } while (place !== undefined);
    return all;
  }

  /** The moment of the request that follows this call. */
  async ask(): Promise<Asked> {
    return askedWith(await this.take('ask'));
  }
}

/** The moment of the request that follows a step. */
export function askedWith({ sequence, now }: StepAnswer): Asked {
  return { sequence, askedAt: now };
}

// Each text with its length before it.
function joined(texts: readonly string[]): Uint8Array {
  const encoded = texts.map((text) => new TextEncoder().encode(text));
  const bytes = new Uint8Array(encoded.reduce((sum, one) => sum + 4 + one.length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const one of encoded) {
    view.setUint32(at, one.length, true);
    bytes.set(one, at + 4);
    at += 4 + one.length;
  }
  return bytes;
}
