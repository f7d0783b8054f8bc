/**
 * The values of a row of a file.
 *
 * @module
 */

import type { EdmTypes } from '../entity/edm.js';

/**
 * A text of CSV, or a value with its type. Numbers and truth values of JSON have no type yet, but
 * one form alone: 1.234 has no thousands. A nested value of JSON is a String here, but no entity
 * gets it unless somebody wants this text.
 */
export type Cell =
  | string
  | {
      readonly type: EdmTypes | undefined;
      /** As the file has it, with all digits. */
      readonly text: string;
      /** Of a number of JSON: the usual form, if it is another one and says the same. */
      readonly plain?: string;
      readonly isNested?: boolean;
    };

/** The values of a row, by the names of their columns. A missing value has no entry. */
export type FileRow = ReadonlyMap<string, Cell>;
