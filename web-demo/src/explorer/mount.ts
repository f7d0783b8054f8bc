/**
 * Puts the explorer into an element of any page. Its elements and styles are in a shadow root, so
 * neither page changes the other. The styles are constructed, which the strictest content security
 * policy allows.
 *
 * @module
 */

import type { TableServiceClient } from 'entitable';

import { App } from '../app.js';
import { make, setElementRoot } from '../ui/dom.js';
import { begin } from '../ui/notice.js';
import { addExplorer } from './elements.js';
import type { Home } from './home.js';

/** @returns a function that takes the explorer away. The account stays open. */
export function mount(element: Element, account: TableServiceClient): () => void {
  const place = make('div', { class: 'entitable-explorer' });
  const root = place.attachShadow({ mode: 'open' });
  const explorer = make('div', { class: 'explorer' });
  root.append(explorer);
  element.append(place);
  setElementRoot(root);
  addExplorer(explorer);

  const app = new App(inAnApp(account));
  begin(() => app.start());
  return () => {
    app.stop();
    place.remove();
  };
}

function inAnApp(account: TableServiceClient): Home {
  return {
    samples: [],
    openAccount: () => Promise.resolve(account),
    firstTable: (names) => names[0],
  };
}
