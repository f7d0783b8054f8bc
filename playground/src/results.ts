/**
 * What a program has logged and stored.
 *
 * @module
 */

import type { Level, StoredTable, StoredValue } from './messages.js';

const KEYS = ['PartitionKey', 'RowKey'];

/** A line of output. `level` sets its look. */
export function showLine(list: HTMLElement, level: Level, text: string): void {
  list.append(element('li', { className: `is-${level}`, textContent: text }));
}

/** The tables, each with the first entities as they are stored. */
export function showTables(place: HTMLElement, tables: readonly StoredTable[]): void {
  const shown = tables.map(tableOf);
  const none = 'A table that the program stores appears here, as Azure would hold it.';
  place.replaceChildren(
    ...(shown.length > 0
      ? shown
      : [element('p', { className: 'playground-hint', textContent: none })]),
  );
}

function tableOf({ name, entities, hasMore }: StoredTable): HTMLElement {
  const section = element('section', {});
  const columns = columnsOf(entities);
  const table = element('table', {});
  table.append(headOf(columns, entities), bodyOf(columns, entities));
  const scroller = element('div', { className: 'playground-scroller', tabIndex: 0 });
  scroller.setAttribute('role', 'region');
  scroller.setAttribute('aria-label', `Entities of ${name}`);
  scroller.append(table);
  const count = `${entities.length}${hasMore ? ' and more' : ''}`;
  const title = element('h3', { textContent: `${name} ` });
  title.append(element('small', { textContent: count }));
  section.append(title, entities.length > 0 ? scroller : element('p', { textContent: 'Empty.' }));
  return section;
}

/** The keys first, and Timestamp last. */
function columnsOf(entities: StoredTable['entities']): string[] {
  const names = new Set(entities.flatMap((entity) => Object.keys(entity)));
  const own = [...names].filter((name) => !KEYS.includes(name) && name !== 'Timestamp');
  return [...KEYS, ...own, 'Timestamp'];
}

function headOf(columns: readonly string[], entities: StoredTable['entities']): HTMLElement {
  const row = element('tr', {});
  for (const name of columns) {
    const types = new Set(entities.flatMap((entity) => entity[name]?.type ?? []));
    const cell = element('th', { textContent: name, scope: 'col' });
    cell.append(element('small', { textContent: [...types].join(' or ') }));
    row.append(cell);
  }
  const head = element('thead', {});
  head.append(row);
  return head;
}

function bodyOf(columns: readonly string[], entities: StoredTable['entities']): HTMLElement {
  const body = element('tbody', {});
  for (const entity of entities) {
    const row = element('tr', {});
    for (const name of columns) row.append(cellOf(entity[name]));
    body.append(row);
  }
  return body;
}

function cellOf(stored: StoredValue | undefined): HTMLElement {
  if (!stored) return element('td', { className: 'is-missing', textContent: '–' });
  const { type, value } = stored;
  const isNumber = ['Int32', 'Int64', 'Double'].includes(type);
  // A long text would make all rows as high as itself.
  const text = value.length > 200 ? `${value.slice(0, 200)}…` : value;
  return element('td', { className: isNumber ? 'is-number' : '', textContent: text });
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties);
}
