/**
 * Colours for code.
 *
 * @module
 */

import { make } from '../ui/dom.js';

const KEYWORDS =
  'async|as|await|const|export|false|from|function|import|instanceof|interface|new|readonly|return|true|type|undefined';

// Comments, the names of members in JSON, texts and patterns, numbers, keywords.
const TOKENS = new RegExp(
  [
    /(?<comment>\/\/.*)/,
    /(?<member>"(?:[^"\\\n]|\\.)*"(?=:))/,
    /(?<text>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\/\^.*\$\/)/,
    /(?<number>\b\d[\d_]*(?:\.\d+)?n?\b)/,
    new RegExp(`(?<keyword>\\b(?:${KEYWORDS})\\b)`),
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** The nodes of highlighted code. */
export function highlighted(code: string): (Node | string)[] {
  const nodes: (Node | string)[] = [];
  let end = 0;
  for (const { 0: text, index, groups } of code.matchAll(TOKENS)) {
    const [kind] = Object.entries(groups!).find(([, found]) => found !== undefined)!;
    nodes.push(code.slice(end, index), make('span', { class: `code-${kind}` }, text));
    end = index + text.length;
  }
  return [...nodes, code.slice(end)];
}
