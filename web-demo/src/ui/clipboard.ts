/**
 * Copies texts, and says so.
 *
 * @module
 */

import { announce } from './announce.js';
import { byId } from './dom.js';

const SHOWN_MS = 4000;

let end: ReturnType<typeof setTimeout> | undefined;

/** @param what - for people, with a capital or a number: `The link`, `3 rows`. */
export async function copyText(text: string, what: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  const toast = byId('copied', HTMLElement);
  const verb = /^(?:\d\d|[2-9]|1 ×)/.test(what) ? 'are' : 'is';
  toast.textContent = `${what} ${verb} in the clipboard.`;
  toast.hidden = false;
  announce(toast.textContent);
  clearTimeout(end);
  end = setTimeout(() => (toast.hidden = true), SHOWN_MS);
}
