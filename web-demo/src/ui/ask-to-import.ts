/**
 * Shows what an account file has, before anything is stored.
 *
 * @module
 */

import { counted, displayCount } from '../display.js';
import type { AccountFile } from '../import/account-file.js';
import { countOf } from '../import/store-account.js';
import { confirm } from './confirm.js';

/** Resolves to true if the user wants the tables. */
export function askToImport(file: AccountFile): Promise<boolean> {
  const { name, tables, isCut } = file;
  const listed = tables.map((table) => `${table.name} (${displayCount(table.entities)})`);
  const count = tables.length === 1 ? '1 table' : `${tables.length} tables`;
  return confirm({
    title: `Import ${name}?`,
    text:
      `It has ${count} with ${counted(countOf(file), 'entities')}: ${listed.join(', ')}. ` +
      'To undo it, delete the tables.' +
      (isCut ? ' Its end is missing, so the import will fail and leave no table.' : ''),
    action: `Import ${count}`,
    refusal: 'Cancel',
    isHarmless: true,
  });
}
