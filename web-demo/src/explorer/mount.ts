/**
 * Puts the explorer into an element of any page. Its elements and styles are in a shadow root, so
 * neither page changes the other. The styles are constructed, which the strictest content security
 * policy allows.
 *
 * @module
 */

import type { TableServiceClient } from 'entitable';

import base from '../../styles/base.css?raw';
import chart from '../../styles/chart.css?raw';
import controls from '../../styles/controls.css?raw';
import dialogs from '../../styles/dialogs.css?raw';
import grid from '../../styles/grid.css?raw';
import host from '../../styles/host.css?raw';
import importing from '../../styles/import.css?raw';
import layout from '../../styles/layout.css?raw';
import query from '../../styles/query.css?raw';
import tokens from '../../styles/tokens.css?raw';
import workspace from '../../styles/workspace.css?raw';
import { App } from '../app.js';
import { make, setElementRoot } from '../ui/dom.js';
import { begin } from '../ui/notice.js';
import empty from './empty.html?raw';
import type { Home } from './home.js';
import markup from './markup.html?raw';
import { adoptStyles } from './styles.js';

const STYLES = [
  ...[tokens, base, host, controls, layout, workspace],
  ...[query, grid, chart, dialogs, importing],
];

/** @returns a function that takes the explorer away. The account stays open. */
export function mount(element: Element, account: TableServiceClient): () => void {
  const place = make('div', { class: 'entitable-explorer' });
  const root = place.attachShadow({ mode: 'open' });
  const explorer = make('div', { class: 'explorer' });
  explorer.append(...elementsOf(empty), ...elementsOf(markup));
  root.append(explorer);
  element.append(place);
  setElementRoot(root);
  for (const style of STYLES) adoptStyles(style);

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

function elementsOf(text: string): Element[] {
  return [...new DOMParser().parseFromString(text, 'text/html').body.children].map((element) =>
    document.adoptNode(element),
  );
}
