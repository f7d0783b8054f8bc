/**
 * How the workspace looks: the list of tables, which folds, and how dense the rows are. The browser
 * remembers both.
 *
 * @module
 */

import { readSaved, writeSaved } from '../saved.js';
import { byId, onClick, placeMenu } from './dom.js';
import { begin } from './notice.js';

const KEY = 'view';
const FIRST = { isFolded: false, isCompact: false };

export class WorkspaceView {
  readonly #parts = byId('workspace-parts', HTMLElement);
  readonly #side = byId('side', HTMLElement);
  readonly #toggle = byId('toggle-side', HTMLButtonElement);
  readonly #onDensity: () => void;
  #saved = readSaved(KEY, FIRST);

  /** @param onDensity - called when the rows have another height. */
  constructor(onDensity: () => void) {
    this.#onDensity = onDensity;
    placeMenu(byId('more-menu', HTMLElement), byId('more', HTMLElement));
    onClick('copy-link', () => begin(copyLink));
    onClick('toggle-side', () => this.#fold());
    onClick('compact', () => this.#change({ isCompact: !this.#saved.isCompact }));
    for (const type of ['keydown', 'focusout'] as const) {
      this.#side.addEventListener(type, (event) => this.#leaveDrawer(event));
    }
    // Its width decides whether the list is beside the table.
    new ResizeObserver(() => this.#showToggle()).observe(this.#parts);
    this.#show();
  }

  /** The user has chosen in the list: one that lies over the table closes. */
  closeDrawer(): void {
    this.#parts.classList.remove('drawer');
    this.#showToggle();
  }

  get #isDrawer(): boolean {
    return this.#parts.classList.contains('drawer');
  }

  #fold(): void {
    // The styles say whether there is room for the list beside the table.
    const hasRoom = getComputedStyle(this.#parts).getPropertyValue('--has-room') === '1';
    if (hasRoom) this.#change({ isFolded: !this.#saved.isFolded });
    else if (this.#isDrawer) this.closeDrawer();
    else this.#openDrawer();
  }

  #openDrawer(): void {
    this.#parts.classList.add('drawer');
    this.#showToggle();
    this.#side.querySelector<HTMLElement>('a, button')?.focus();
  }

  #leaveDrawer(event: Event): void {
    if (!this.#isDrawer) return;
    if (event instanceof KeyboardEvent && event.key === 'Escape') {
      this.closeDrawer();
      this.#toggle.focus();
    }
    if (event instanceof FocusEvent) {
      const next = event.relatedTarget as Node | null;
      if (next && next !== this.#toggle && !this.#side.contains(next)) this.closeDrawer();
    }
  }

  #change(change: Partial<typeof FIRST>): void {
    this.#saved = { ...this.#saved, ...change };
    writeSaved(KEY, this.#saved);
    this.#show();
    this.#onDensity();
  }

  #show(): void {
    const { isFolded, isCompact } = this.#saved;
    this.#parts.classList.toggle('folded', isFolded);
    this.#parts.classList.toggle('compact', isCompact);
    byId('compact', HTMLElement).ariaPressed = String(isCompact);
    this.#showToggle();
  }

  #showToggle(): void {
    this.#toggle.ariaExpanded = String(getComputedStyle(this.#side).display !== 'none');
  }
}

// Loaded with the first copy.
async function copyLink(): Promise<void> {
  await (await import('./clipboard.js')).copyText(location.href, 'The link');
}
