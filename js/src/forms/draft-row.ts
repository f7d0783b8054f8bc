/**
 * The entity of a draft.
 *
 * @module
 */

import { isTableError } from '../base/errors.js';
import type { EntityKeys } from '../entity/keys.js';
import type { DraftAccount } from './models.js';

/** The name of the table. */
export const DRAFT_TABLE = 'FormDrafts';

type Texts = Map<string, string>;

/** A draft as it is stored. Other pages may write it, too. */
export class DraftRow {
  readonly #account: DraftAccount;
  readonly #keys: EntityKeys;
  /** As it was read or written last; undefined, if there is none. */
  #etag: string | undefined;
  #texts: Texts = new Map();
  /** Of the draft in this account. Another account may have one of the same name. */
  id = Math.random().toString(36).slice(2);

  constructor(account: DraftAccount, keys: EntityKeys) {
    this.#account = account;
    this.#keys = keys;
  }

  /** The texts by the names of their controls. */
  get texts(): ReadonlyMap<string, string> {
    return this.#texts;
  }

  async read(): Promise<void> {
    const { partitionKey, rowKey } = this.#keys;
    try {
      const entity = await (await this.#table()).getEntity(partitionKey, rowKey);
      this.#etag = entity.etag;
      this.#texts = new Map(
        Object.entries(entity)
          .filter(([name]) => !SYSTEM.includes(name))
          .map(([name, text]) => [name.replace(OWN_KEY, '$1'), String(text)]),
      );
      this.id = this.#texts.get(ID) ?? this.id;
      this.#texts.delete(ID);
    } catch (error) {
      if (!isCode(error, MISSING)) throw error;
      this.#etag = undefined;
      this.#texts = new Map();
    }
  }

  /** Changes the texts: again, if another page has changed them since. */
  async change(change: (texts: Texts) => void): Promise<void> {
    for (;;) {
      const texts = new Map(this.#texts);
      change(texts);
      try {
        this.#etag = await this.#write(texts);
        this.#texts = texts;
        return;
      } catch (error) {
        if (!isCode(error, OUTDATED)) throw error;
        if (isCode(error, /^TableNotFound$/)) await (await this.#table()).createTable();
        await this.read();
      }
    }
  }

  /** Returns the new etag; undefined, if there are no texts, so there is no draft. */
  async #write(texts: Texts): Promise<string | undefined> {
    const table = await this.#table();
    const { partitionKey, rowKey } = this.#keys;
    const etag = this.#etag;
    if (!texts.size) {
      if (etag) await table.deleteEntity(partitionKey, rowKey, { etag });
      return undefined;
    }
    const members = [...texts].map(([name, text]) => [KEY.test(name) ? `$${name}` : name, text]);
    const entity: EntityKeys = {
      ...(Object.fromEntries(members) as object),
      ...{ [ID]: this.id, partitionKey, rowKey },
    };
    const written = etag
      ? await table.updateEntity(entity, 'Replace', { etag })
      : await table.createEntity(entity);
    return written.etag;
  }

  async #table() {
    return (await this.#account).tableClient(DRAFT_TABLE);
  }
}

// Controls of keys: the draft has keys of its own.
const KEY = /^(partition|row)Key$/;
const OWN_KEY = /^\$((partition|row)Key)$/;
// No property of an app has this name.
const ID = 'entitableDraftId';
const SYSTEM = ['partitionKey', 'rowKey', 'etag', 'timestamp'];

const MISSING = /^(TableNotFound|ResourceNotFound)$/;
// Another page was faster, or has removed it.
const OUTDATED =
  /^(TableNotFound|ResourceNotFound|EntityAlreadyExists|UpdateConditionNotSatisfied)$/;

const isCode = (error: unknown, codes: RegExp) => isTableError(error) && codes.test(error.code);
