/**
 * The line at the top of the page that shows failures of no field.
 *
 * @module
 */

import { byId, elementRoot } from './dom.js';
import { errorContent } from './errors.js';

/** @param file - the name of the file at fault. */
export function showNotice(error: unknown, file?: string): void {
  const notice = byId('notice', HTMLElement);
  notice.replaceChildren(...(file === undefined ? [] : [`${file}: `]), ...errorContent(error));
  notice.hidden = false;
  notice.scrollIntoView({ block: 'nearest' });
}

export function hideNotice(): void {
  byId('notice', HTMLElement).hidden = true;
}

/** Begins work without a caller that waits, such as the answer to a click. Shows its failure. */
export function begin(work: () => Promise<void>): void {
  const place = elementRoot();
  work().catch((error: unknown) => {
    // Another explorer may be in its place now.
    if (place === elementRoot()) showNotice(error);
  });
}

/** Shows the failure of a step of such work, which goes on after it. */
export async function attempt(step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    showNotice(error);
  }
}
