/**
 * The progress of a load, its speed, and a button that stops it. What is finished is shown for a
 * while.
 *
 * @module
 */

import { counted, displayCount } from '../display.js';
import type { LoadProgress } from '../load-progress.js';
import { announce } from './announce.js';
import { byId } from './dom.js';
import { noteRunning, noteEnd, takeInterrupted } from './interrupted.js';

/** What is loaded: `3201`, `movies`. */
export interface Load {
  /** How many there are, if it is known. */
  readonly count?: number;
  /** In the plural. */
  readonly noun: string;
  /** By default `Loading`, and `Loaded`. */
  readonly verbs?: { readonly present: string; readonly past: string };
}

// Time to read what is finished.
const TOAST_MS = 10_000;

const LOAD = { present: 'Loading', past: 'Loaded' };

export class LoadPanel {
  readonly #panel = byId('load', HTMLElement);
  readonly #title = byId('load-title', HTMLElement);
  readonly #figures = byId('load-figures', HTMLElement);
  readonly #bar = byId('load-progress', HTMLProgressElement);
  readonly #stop = byId('load-stop', HTMLButtonElement);
  readonly #onDismiss: () => void;

  #load: Load | undefined;
  #latest: LoadProgress | undefined;
  #abort: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onDismiss: () => void) {
    this.#onDismiss = onDismiss;
    this.#stop.addEventListener('click', () => {
      if (this.#abort) this.#abort.abort();
      else this.#dismiss();
    });
    const interrupted = takeInterrupted();
    if (interrupted) this.#showInterrupted(interrupted);
  }

  /** Opens the panel; the signal fires when the user stops the load. */
  begin(load: Load): AbortSignal {
    clearTimeout(this.#timer);
    this.#abort = new AbortController();
    this.#load = load;
    this.#latest = undefined;
    const { present } = load.verbs ?? LOAD;
    const what = load.count === undefined ? load.noun : counted(load.count, load.noun);
    this.#title.textContent = `${present} ${what}`;
    this.#figures.textContent = load.verbs ? '' : 'Reading the file…';
    this.#stop.textContent = 'Cancel';
    this.#bar.removeAttribute('value');
    if (load.count !== undefined) this.#bar.max = load.count;
    this.#panel.hidden = false;
    this.#panel.dataset['state'] = 'running';
    // The button that was clicked is hidden or disabled now.
    this.#stop.focus();
    announce(this.#title.textContent);
    noteRunning(this.#title.textContent);
    return this.#abort.signal;
  }

  /** Shows the progress in the next frame. Any number of calls is fine. */
  show(progress: LoadProgress): void {
    if (!this.#latest) requestAnimationFrame(() => this.#draw());
    this.#latest = progress;
  }

  /** The load has ended, by itself or because the user stopped it. */
  finish({ loaded, milliseconds }: LoadProgress): void {
    const { noun, count = loaded, verbs: { past } = LOAD } = this.#load!;
    const entities = counted(loaded, noun);
    const seconds = (milliseconds / 1000).toFixed(2);
    this.#title.textContent = loaded < count ? `Stopped after ${entities}` : `${past} ${entities}`;
    this.#figures.textContent = loaded > 0 ? `in ${seconds} s · ${rate(loaded, milliseconds)}` : '';
    this.#bar.value = loaded;
    this.#end(loaded < count ? 'stopped' : 'done');
    if (loaded >= count) this.#timer = setTimeout(() => this.#dismiss(), TOAST_MS);
    announce(`${this.#title.textContent} ${this.#figures.textContent}`);
  }

  /** Stops the load, as the button does. */
  cancel(): void {
    this.#abort?.abort();
  }

  /** Closes the panel after a failure, which is shown elsewhere. */
  close(): void {
    announce('');
    this.#end('done');
    this.#dismiss();
  }

  // The same button now closes the panel, so it keeps the focus.
  #end(state: 'done' | 'stopped'): void {
    noteEnd();
    this.#abort = undefined;
    this.#latest = undefined;
    this.#stop.textContent = 'Dismiss';
    this.#panel.dataset['state'] = state;
  }

  #showInterrupted(title: string): void {
    this.#title.textContent = `${title} was interrupted`;
    this.#figures.textContent = 'The page was left before the end. What it had done is kept.';
    this.#bar.value = 0;
    this.#panel.hidden = false;
    this.#end('stopped');
  }

  #dismiss(): void {
    clearTimeout(this.#timer);
    const hadFocus = this.#panel.matches(':focus-within');
    this.#panel.hidden = true;
    if (hadFocus) this.#onDismiss();
  }

  #draw(): void {
    if (!this.#latest || !this.#load) return;
    const { loaded, milliseconds } = this.#latest;
    const { count, noun, verbs: { present } = LOAD } = this.#load;
    this.#latest = undefined;
    const speed = rate(loaded, milliseconds);
    if (count === undefined) {
      this.#title.textContent = `${present} ${counted(loaded, noun)}`;
      this.#figures.textContent = speed;
      return;
    }
    this.#bar.value = loaded;
    this.#figures.textContent = `${displayCount(loaded)} of ${displayCount(count)} · ${speed}`;
  }
}

function rate(loaded: number, milliseconds: number): string {
  return `${counted(Math.round((loaded * 1000) / Math.max(milliseconds, 1)), 'entities')}/s`;
}
