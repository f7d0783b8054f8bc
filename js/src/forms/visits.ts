/**
 * When the user has left a field.
 *
 * @module
 */

import type { Control } from './controls.js';

/**
 * Calls back when the user has left the control of an event, and all `others`. A message that
 * appears while a pointer is pressed may move the button below it, so it waits for the release.
 */
export function visitsOf(
  root: Node,
  signal: AbortSignal,
): (event: FocusEvent, others: readonly Control[], onLeft: () => void) => void {
  let isPressed = false;
  let waiting: (() => void)[] = [];
  const release = () => {
    isPressed = false;
    for (const onLeft of waiting) onLeft();
    waiting = [];
  };
  const options = { signal, capture: true };
  root.addEventListener('pointerdown', () => (isPressed = true), options);
  for (const end of ['pointerup', 'pointercancel']) {
    // The click follows at once.
    root.addEventListener(end, () => setTimeout(release), options);
  }
  return ({ target, relatedTarget }, others, onLeft) => {
    const control = target as Control;
    // The focus comes back when the user comes back to the window.
    const isKept = control.ownerDocument.activeElement === control;
    if (isKept || others.includes(relatedTarget as Control)) return;
    if (isPressed) waiting.push(onLeft);
    else onLeft();
  };
}
