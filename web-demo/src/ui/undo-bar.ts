/**
 * Undo and redo: the message about the last change, the commands of the menu, and the keys.
 *
 * @module
 */

import { byId, disable, elementRoot, isTyping, onClick } from './dom.js';

export type Direction = 'undo' | 'redo';

/** What would be undone, and done again, next. */
export type NextChanges = Readonly<Record<Direction, string | undefined>>;

// Time to read it. The menu and the keys stay.
const SHOWN_MS = 10_000;

const TITLES = { undo: 'Undo', redo: 'Redo' } as const;

export class UndoBar {
  readonly #bar = byId('undo', HTMLElement);
  readonly #text = byId('undo-text', HTMLElement);
  readonly #button = byId('undo-change', HTMLButtonElement);
  #direction: Direction = 'undo';
  #end: ReturnType<typeof setTimeout> | undefined;

  constructor(onMove: (direction: Direction) => void) {
    const move = (direction: Direction) => {
      this.hide();
      onMove(direction);
    };
    onClick('undo-change', () => move(this.#direction));
    onClick('undo-dismiss', () => this.hide());
    onClick('undo-last', () => move('undo'));
    onClick('redo-last', () => move('redo'));
    elementRoot().addEventListener('keydown', (event) => {
      const direction = directionOf(event as KeyboardEvent);
      // A text field has an undo of its own, and a dialog has what is not stored yet.
      if (!direction || isTyping(event)) return;
      event.preventDefault();
      move(direction);
    });
  }

  /** Says what was done, and offers the way back if there is one. */
  show(text: string, direction: Direction | undefined): void {
    this.#text.textContent = text;
    this.#button.hidden = direction === undefined;
    this.#direction = direction ?? 'undo';
    this.#button.textContent = TITLES[this.#direction];
    this.#bar.hidden = false;
    this.#hideLater();
  }

  /** Names the commands of the menu. */
  offer(next: NextChanges): void {
    for (const direction of ['undo', 'redo'] as const) {
      const button = byId(`${direction}-last`, HTMLButtonElement);
      const text = next[direction];
      button.textContent = TITLES[direction] + (text === undefined ? '' : `: ${text}`);
      disable(button, text === undefined, `Nothing to ${direction}.`);
    }
  }

  hide(): void {
    clearTimeout(this.#end);
    this.#bar.hidden = true;
  }

  #hideLater(): void {
    clearTimeout(this.#end);
    this.#end = setTimeout(() => {
      if (this.#bar.matches(':hover, :focus-within')) this.#hideLater();
      else this.hide();
    }, SHOWN_MS);
  }
}

function directionOf({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent) {
  if (!(ctrlKey || metaKey) || altKey) return undefined;
  const letter = key.toLowerCase();
  if (letter === 'z') return shiftKey ? 'redo' : 'undo';
  return letter === 'y' && !shiftKey ? 'redo' : undefined;
}
