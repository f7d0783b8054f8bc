/**
 * The line over the page that tells of a failure which belongs to no field.
 *
 * @module
 */

import { byId } from './dom.js';
import { errorContent } from './errors.js';

export function showNotice(error: unknown): void {
  const notice = byId('notice', HTMLElement);
  notice.replaceChildren(...errorContent(error));
  notice.hidden = false;
  notice.scrollIntoView({ block: 'nearest' });
}

export function hideNotice(): void {
  byId('notice', HTMLElement).hidden = true;
}

/** Begins work that nobody waits for, such as the answer to a click. A failure of it is shown. */
export function begin(work: () => Promise<void>): void {
  work().catch(showNotice);
}
