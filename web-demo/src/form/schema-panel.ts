/**
 * The JSON Schema of the table, in which the property of the field with the focus is marked.
 *
 * @module
 */

import { byId, make } from '../ui/dom.js';
import { highlighted } from './highlight.js';

// Above the marked property. The end of the panel may be below the screen.
const MARGIN_PX = 12;

export class SchemaPanel {
  readonly #box = byId('schema-box', HTMLElement);
  readonly #code = byId('schema', HTMLElement);
  readonly #parts = new Map<string, HTMLElement>();

  constructor(schema: Readonly<Record<string, unknown>>) {
    const { properties, ...others } = schema;
    const members = Object.entries(properties as object) as [string, unknown][];
    const last = members.at(-1)![0];
    for (const [name, property] of members) {
      const comma = name === last ? '' : ',';
      const text = `    ${JSON.stringify(name)}: ${lines(property, 4)}${comma}\n`;
      this.#parts.set(name, make('span', { class: 'schema-part' }, ...highlighted(text)));
    }
    const [before = '', after = ''] = lines({ ...others, properties: {} }, 0).split('{}');
    this.#code.replaceChildren(
      ...highlighted(`${before}{\n`),
      ...this.#parts.values(),
      ...highlighted(`  }${after}`),
    );
  }

  /** Marks a property, and scrolls to it without moving the page. */
  mark(name: string): void {
    const part = this.#parts.get(name);
    if (!part) return;
    for (const other of this.#parts.values()) other.classList.toggle('marked', other === part);
    this.#box.scrollTop = part.offsetTop - this.#box.offsetTop - MARGIN_PX;
  }
}

// In characters. A longer list has a line for each item.
const SHORT_LIST = 60;

/** JSON in lines. */
function lines(value: unknown, indent: number): string {
  const text = JSON.stringify(value, null, 2).replace(/\[[^[\]{}]*\]/g, (list) => {
    const inOneLine = list.replace(/\s+/g, ' ').replace(/^\[ | \]$/g, (edge) => edge.trim());
    return inOneLine.length > SHORT_LIST ? list : inOneLine;
  });
  return text.replace(/\n/g, `\n${' '.repeat(indent)}`);
}
