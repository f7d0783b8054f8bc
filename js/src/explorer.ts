/**
 * A table explorer for an app's own page, such as a page that only its developers open.
 *
 * @module
 */

import { invalidInput } from './base/errors.js';
import { isObject } from './base/kinds.js';
import { loaded } from './base/loaded.js';
import type { PlatformElement } from './base/platform.js';
import { shown } from './base/shown.js';
import type { TableServiceClient } from './client/table-service-client.js';
import type { RemoteAccount } from './remote/account.js';

/** An explorer in an element, from `mountExplorer()`. */
export interface Explorer {
  /** Takes the explorer away. The account stays open. May be called again. */
  unmount(): void;
}

let mounted: Explorer | undefined;

/**
 * Puts a table explorer into an element: its tables, entities, queries, charts, imports and
 * exports. The scripts of the explorer are loaded by this call. The explorer is at the end of the
 * element, in a shadow root; its styles need no exception in a content security policy. Failures
 * are shown in it.
 *
 * A remote account has no sums, no order and no live changes: the explorer says so where they would
 * be. It sorts and charts a copy of a remote table in the memory of the page.
 *
 * @example
 * ```ts
 * const explorer = mountExplorer(document.querySelector('#tables')!, account);
 * explorer.unmount();
 * ```
 * @throws {@link TableError} `InvalidInput`, if there is no such element or account, or a page has
 * an explorer already: it can have one at a time.
 */
export function mountExplorer(
  element: PlatformElement,
  account: TableServiceClient | RemoteAccount,
): Explorer {
  checkArguments(element, account);
  let leave: (() => void) | undefined;
  const explorer: Explorer = {
    unmount() {
      if (mounted !== explorer) return;
      mounted = undefined;
      leave?.();
    },
  };
  mounted = explorer;
  loaded(import('#explorer')).then(
    ({ mount }) => {
      if (mounted === explorer) leave = mount(element, account);
    },
    (error: unknown) => {
      if (mounted === explorer) leave = showFailure(element, error);
    },
  );
  return explorer;
}

function checkArguments(element: unknown, account: unknown): void {
  if (!isObject(element) || !('attachShadow' in element)) {
    throw invalidInput(`The place of an explorer is an element, not ${shown(element)}.`);
  }
  if (!isObject(account) || !('listTables' in account)) {
    throw invalidInput(
      `An explorer shows an account from openAccount() or remoteAccount(), not ${shown(account)}.`,
    );
  }
  if (mounted) throw invalidInput('The page has an explorer already. Call its unmount() first.');
}

// Without the scripts, this is all that there is to show.
function showFailure(element: PlatformElement, error: unknown): () => void {
  const line = element.ownerDocument.createElement('p');
  line.textContent = `The explorer cannot be loaded: ${(error as Error).message}`;
  line.setAttribute('role', 'alert');
  element.append(line);
  return () => line.remove();
}
