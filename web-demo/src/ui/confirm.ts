/**
 * Asks the user before data is deleted, or much is stored.
 *
 * @module
 */

import { byId } from './dom.js';

export interface Question {
  readonly title: string;
  readonly text: string;
  /** The text of the button that confirms. */
  readonly action: string;
  /** The text of the other button. By default `Keep it`. */
  readonly refusal?: string;
  /** Whether nothing is lost if the user confirms. */
  readonly isHarmless?: boolean;
}

/** Resolves to true if the user confirms. Escape and the other button mean no. */
export function confirm({
  title,
  text,
  action,
  refusal = 'Keep it',
  isHarmless = false,
}: Question): Promise<boolean> {
  const dialog = byId('confirm', HTMLDialogElement);
  const yes = byId('confirm-yes', HTMLButtonElement);
  const no = byId('confirm-no', HTMLButtonElement);
  byId('confirm-title', HTMLElement).textContent = title;
  byId('confirm-text', HTMLElement).textContent = text;
  yes.textContent = action;
  yes.className = isHarmless ? 'primary' : 'danger solid';
  no.textContent = refusal;

  return new Promise((resolve) => {
    dialog.returnValue = '';
    yes.onclick = () => dialog.close('yes');
    no.onclick = () => dialog.close();
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
    dialog.showModal();
    no.focus();
  });
}
