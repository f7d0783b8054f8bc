/**
 * Sends the input of an import to the core, a part at a time. The answer to a part allows the next
 * one. So memory holds only one part here and one step in the core, however long the input is.
 *
 * @module
 */

import {
  abortError,
  interruption,
  invalidInput,
  isTableError,
  remade,
  TableError,
} from '../base/errors.js';
import { hasMethod, isBytes, isObject } from '../base/kinds.js';
import { shown } from '../base/shown.js';
import { Slices } from '../base/slices.js';
import type { Answer, ImportPart } from '../core/frames.js';
import type { AccountSession } from '../core/account-session.js';
import { keyTexts } from '../entity/keys.js';
import type { TableEntity } from '../entity/entities.js';
import type { RowForm } from '../entity/row-form.js';
import { EntityWriter } from '../entity/writer.js';
import type { ImportEntitiesOptions, ImportProgress, ImportSource } from './models.js';
import { endOf, iteratorOf, type Source } from './source.js';

// The size of a part, in bytes.
const PART_SIZE = 256 * 1024;

// To look at the clock takes a tenth of the time of an entity.
const ENTITIES_PER_LOOK = 8;

/** The table of an import. */
export interface ImportTarget {
  readonly session: AccountSession;
  readonly table: string;

  /** Takes the entity at fault, if it is known, before the import is rejected. */
  readonly blame?: (entity: object) => void;

  /** The source is an archive: its lines are counted, and `table` has no effect. */
  readonly restores?: boolean;

  /** The form of the rows of a declared table. */
  readonly rows?: RowForm | undefined;
}

/** See `TableClient.importEntities()`; the options are checked. */
export async function importEntities(
  target: ImportTarget,
  source: ImportSource,
  options: ImportEntitiesOptions,
): Promise<ImportProgress> {
  const { session, rows } = target;
  const { abortSignal, mode } = options;
  if (rows?.versions && mode === 'Merge') throw invalidInput(NO_MERGE);
  const feed = new Feed(target, options);
  const abort = () => feed.stop(abortError(abortSignal));
  const forgetClose = session.beforeClose(() =>
    feed.stop(new TableError('AccountClosed', 'The account is closed.')),
  );
  abortSignal?.addEventListener('abort', abort);
  if (abortSignal?.aborted) abort();
  try {
    return await feed.run(source);
  } finally {
    abortSignal?.removeEventListener('abort', abort);
    forgetClose();
  }
}

class Feed {
  readonly #target: ImportTarget;
  readonly #options: ImportEntitiesOptions;
  readonly #number: number;
  #progress: ImportProgress = { read: 0, stored: 0 };
  #hasBegun = false;

  readonly #slices = new Slices();

  // Set when the import must end early. Resolves to the number of entities that are stored.
  #abandoned: Promise<number> | undefined;

  // Set when the source has ended and its last part is sent.
  #last: Promise<void> | undefined;
  #reject!: (reason: unknown) => void;
  readonly #stopped = new Promise<never>((_, reject) => (this.#reject = reject));

  // Entities that were not sent yet, and the number of all entities that were read.
  readonly #entities = new EntityWriter();
  #taken = 0;

  // Both keys of each entity that was read and may not be stored yet, for errors.
  readonly #keys: unknown[] = [];

  // Whether the source is bytes that are no array; undefined, until the first byte is there.
  #isLines: boolean | undefined;

  // The entities of the part that the core has, and of the next part.
  #sent: object[] = [];
  #unsent: object[] = [];

  constructor(target: ImportTarget, options: ImportEntitiesOptions) {
    this.#target = target;
    this.#options = options;
    this.#number = target.session.nextImport();
    // It may be stopped before or after something waits for it.
    this.#stopped.catch(() => undefined);
  }

  stop(reason: unknown): void {
    this.#abandoned ??= this.#abandon();
    this.#reject(reason);
  }

  async run(source: ImportSource): Promise<ImportProgress> {
    let iterator: Source | undefined;
    try {
      iterator = iteratorOf(source);
      // A call that was aborted must not wait for a source that never answers.
      await Promise.race([this.#stopped, this.#sendAll(iterator)]);
      return this.#progress;
    } catch (error) {
      // The import does not wait for the source to end, and does not report its errors.
      endOf(iterator).catch(() => undefined);
      if (hasStored(error)) throw error;
      const stored = await (this.#abandoned ??= this.#abandon());
      // It was stopped, but too late.
      if (await this.#isAllStored()) return this.#progress;
      throw withStored(error, stored, this.#options.abortSignal);
    }
  }

  async #sendAll(iterator: Source): Promise<void> {
    while (!this.#abandoned) {
      if (this.#taken % ENTITIES_PER_LOOK === 0 && this.#slices.isOver) {
        await this.#slices.turn();
        if (this.#abandoned) return;
      }
      const next = iterator.next();
      // An await of a value that is there already would take longer than everything else.
      const { done, value } = hasMethod(next, 'then') ? await next : next;
      if (this.#abandoned) return;
      if (done) return (this.#last = this.#send(this.#entities.take(), true));
      const sent = isBytes(value) ? this.#addBytes(value) : this.#addRow(value);
      if (sent) await sent;
    }
  }

  async #isAllStored(): Promise<boolean> {
    const isSent = await this.#last?.then(
      () => true,
      () => false,
    );
    return isSent === true && this.#progress.stored === this.#progress.read;
  }

  async #addBytes(bytes: Uint8Array): Promise<void> {
    if (this.#taken > 0) {
      return this.#refuse(invalidInput('A source has entities or bytes, not both.'));
    }
    const first = this.#isLines === undefined && bytes.find((byte) => !BLANKS.includes(byte));
    if (first) this.#isLines = first !== OPENING_BRACKET;
    for (let at = 0; at < bytes.length; at += PART_SIZE) {
      await this.#slices.turn();
      await this.#send(bytes.subarray(at, at + PART_SIZE));
    }
  }

  #addRow(row: object): Promise<void> | undefined {
    const { rows } = this.#target;
    if (!rows) return this.#addEntity(row);
    try {
      const stored = rows.stored(row, this.#options.mode === 'Merge');
      if (!hasMethod(stored, 'then')) return this.#addEntity(stored);
      return Promise.resolve(stored).then(
        (entity) => this.#addEntity(entity),
        (error: unknown) => this.#refuse(error, row),
      );
    } catch (error) {
      return this.#refuse(error, row);
    }
  }

  #addEntity(entity: unknown): Promise<void> | undefined {
    try {
      if (this.#target.restores) throw invalidInput('An archive comes as bytes.');
      if (!isObject(entity)) {
        throw invalidInput(`An entity must be an object, not ${shown(entity)}.`);
      }
      this.#entities.add(entity);
      this.#taken++;
      this.#noteKeys(entity);
      this.#unsent.push(entity);
    } catch (error) {
      return this.#refuse(error, entity);
    }
    return this.#entities.size < PART_SIZE ? undefined : this.#send(this.#entities.take());
  }

  // All entities before this one are sent first: one of them may be at fault, too.
  async #refuse(error: unknown, entity?: unknown): Promise<void> {
    await this.#send(this.#entities.take(), true);
    if (!isTableError(error)) throw error;
    if (isObject(entity)) this.#target.blame?.(entity);
    const { stored } = this.#progress;
    throw remade(error, { entityIndex: this.#taken, stored, ...keyTexts(entity ?? {}) });
  }

  #noteKeys({ partitionKey, rowKey }: Partial<TableEntity>): void {
    this.#keys.push(partitionKey, rowKey);
  }

  #withKeys(error: unknown): unknown {
    if (!isTableError(error) || error.details.entityIndex === undefined) return error;
    // Of bytes, only the core knows them.
    if (this.#taken === 0) return error;
    const { entityIndex } = error.details;
    const at = 2 * (entityIndex - this.#progress.stored);
    const keys = keyTexts({ partitionKey: this.#keys[at], rowKey: this.#keys[at + 1] });
    // The core checks a part when it gets the part.
    const entity = this.#sent[entityIndex - (this.#taken - this.#sent.length)];
    if (entity && hasKeys(entity, keys)) this.#target.blame?.(entity);
    return remade(error, keys);
  }

  async #send(body: Uint8Array, ends = false): Promise<void> {
    if (this.#abandoned) return;
    const begins = !this.#hasBegun;
    this.#hasBegun = true;
    this.#sent = this.#unsent;
    this.#unsent = [];
    this.#report(await this.#request({ begins, ends }, body));
  }

  // Resolves to the number of entities that are stored.
  async #abandon(): Promise<number> {
    try {
      if (this.#hasBegun) this.#report(await this.#request({ abandons: true }));
    } catch (error) {
      if (hasStored(error)) return error.details.stored;
    }
    return this.#progress.stored;
  }

  async #request(part: Partial<ImportPart>, body?: Uint8Array): Promise<Answer> {
    const { session, table, restores, rows } = this.#target;
    const { mode = 'Insert' } = this.#options;
    try {
      return await session.request({
        kind: 'importEntities',
        table,
        importPart: { import: this.#number, mode, restores, ...part },
        asValues: this.#taken > 0,
        keepsDoubles: this.#taken > 0,
        schema: part.begins ? rows?.schemaOfImport : undefined,
        body,
      });
    } catch (error) {
      throw this.#withKeys(this.#withLine(this.#withForm(fromCore(error))));
    }
  }

  // With bytes, this code does not know which entity is at fault. If the core has read its keys,
  // the form of the input is right.
  #withForm(error: unknown): unknown {
    if (!isTableError(error) || error.code !== 'InvalidInput' || this.#taken > 0) return error;
    const isForm = error.details.partitionKey === undefined && !this.#target.restores;
    return isForm ? remade(error, { sentence: FORM_OF_BYTES }) : error;
  }

  #withLine(error: unknown): unknown {
    if (!isTableError(error) || !this.#isLines || this.#target.restores) return error;
    const { entityIndex } = error.details;
    if (entityIndex === undefined) return error;
    const sentence = error.code === 'PropertiesNeedValue' ? NAMES_OF_KEYS : undefined;
    return remade(error, { sentence, line: entityIndex + 1 });
  }

  #report({ body }: Answer): void {
    const last = this.#progress;
    this.#progress = JSON.parse(body as string) as ImportProgress;
    const { read, stored } = this.#progress;
    this.#keys.splice(0, 2 * (stored - last.stored));
    if (read > last.read || stored > last.stored) this.#options.onProgress?.({ read, stored });
  }
}

const NO_MERGE =
  'An import into a table with versions inserts or replaces: a merge needs the stored rows.';

const FORM_OF_BYTES =
  'The bytes must be JSON in UTF-8: one array of entities, or one entity a line.';

const NAMES_OF_KEYS = 'In JSON, the keys are named PartitionKey and RowKey.';

const OPENING_BRACKET = 0x5b;
// White space, and the bytes of a byte order mark.
const BLANKS = [0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf];

// A source may use one object for all of its entities.
function hasKeys(entity: object, keys: ReturnType<typeof keyTexts>): boolean {
  const { partitionKey, rowKey } = keyTexts(entity);
  return partitionKey === keys.partitionKey && rowKey === keys.rowKey;
}

function hasStored(error: unknown): error is TableError & { details: { readonly stored: number } } {
  return isTableError(error) && error.details.stored !== undefined;
}

// The core reports the index of the first entity that is not stored. That entity is at fault,
// unless the table or the storage is.
function fromCore(error: unknown): unknown {
  if (!isTableError(error)) return error;
  const { code, statusCode, details } = error;
  const { operationIndex: stored } = details;
  if (stored === undefined) return error;
  const isOfEntity =
    code === 'SchemaVersionTooNew' || (statusCode < 500 && code !== 'TableNotFound');
  return remade(error, {
    operationIndex: undefined,
    stored,
    entityIndex: isOfEntity ? stored : undefined,
  });
}

// An error of the source stays as it is.
function withStored(
  error: unknown,
  stored: number,
  signal: ImportEntitiesOptions['abortSignal'],
): unknown {
  if (isTableError(error)) {
    return remade(error, { stored });
  }
  return signal?.aborted ? interruption(signal, stored) : error;
}
