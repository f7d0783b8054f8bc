/**
 * Styles of an explorer that has a shadow root.
 *
 * @module
 */

import { elementRoot } from '../ui/dom.js';

/** Adds the rules of a style sheet to the explorer, and to no other element of the page. */
export function adoptStyles(text: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  elementRoot().adoptedStyleSheets.push(sheet);
}
