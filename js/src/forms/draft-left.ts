/**
 * The texts that a page could not store any more, because it was left.
 *
 * @module
 */

import type { EntityKeys } from '../entity/keys.js';
import { DRAFT_TABLE } from './draft-row.js';

type Texts = Map<string, string>;

/** The texts of one draft in `localStorage`, which all pages share. It may be full or forbidden. */
export class LeftTexts {
  readonly #key: string;

  constructor({ partitionKey, rowKey }: EntityKeys) {
    this.#key = ['entitable', DRAFT_TABLE, partitionKey, rowKey].join('/');
  }

  /**
   * What is left of the draft with this ID. What is left of another draft, or cannot be read, is
   * removed.
   */
  read(id: string): Texts {
    try {
      const left = localStorage.getItem(this.#key);
      const [leftId, texts] = JSON.parse(left ?? '[]') as [string, [string, string][]];
      if (leftId === id) return new Map(texts.map(([name, text]) => [name, String(text)]));
    } catch {
      // It is no text of a draft.
    }
    this.remove();
    return new Map();
  }

  change(id: string, change: (texts: Texts) => void): void {
    const texts = this.read(id);
    change(texts);
    try {
      if (texts.size) localStorage.setItem(this.#key, JSON.stringify([id, [...texts]]));
      else localStorage.removeItem(this.#key);
    } catch (error) {
      // The texts are in the form, and in the account if it is fast enough.
      reportError(error);
    }
  }

  remove(): void {
    try {
      localStorage.removeItem(this.#key);
    } catch {
      // Nothing is left there.
    }
  }
}
