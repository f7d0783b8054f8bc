/**
 * The elements and the styles of an explorer, for pages whose HTML does not have them.
 *
 * @module
 */

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
import empty from './empty.html?raw';
import markup from './markup.html?raw';
import { adoptStyles } from './styles.js';

const STYLES = [
  ...[tokens, base, host, controls, layout, workspace],
  ...[query, grid, chart, dialogs, importing],
];

/** Adds them to a place within the element root. */
export function addExplorer(place: Element): void {
  for (const style of STYLES) adoptStyles(style);
  addMarkup(place, empty);
  addMarkup(place, markup);
}

/** Adds the elements of a text, which is one of ours. */
export function addMarkup(place: Element, text: string): void {
  const { children } = new DOMParser().parseFromString(text, 'text/html').body;
  // A copy of the list, which would lose those that have moved.
  place.append(...[...children].map((element) => document.adoptNode(element)));
}
