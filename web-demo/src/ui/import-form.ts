/**
 * The choices of an import: the table, its keys, and the name and type of each property.
 *
 * @module
 */

import type { EdmTypes, ImportMode } from 'entitable';

import { shownValue } from '../../../js/src/formats/row-columns.js';
import type { ColumnPlan } from '../../../js/src/formats/row-plan.js';
import { PLAIN_FORMS, type TextForms } from '../../../js/src/formats/text-forms.js';
import type { ImportPlan } from '../import/plan.js';
import type { ColumnSummary, FileSummary } from '../import/summary.js';
import { EDM_TYPES } from '../typed-entity.js';
import { byId, make } from './dom.js';
import { Field } from './field.js';
import { makeSelect, makeText } from './property-row.js';

const LEFT_OUT = 'Leave out';
const AS_IN_FILE = 'As in the file';
const ROW_NUMBER = 'The number of the row';
const MODES: Readonly<Record<string, ImportMode>> = {
  'Replace it': 'Replace',
  'Merge into it': 'Merge',
  'Stop the import': 'Insert',
};

interface ColumnRow {
  readonly column: string;
  readonly property: HTMLInputElement;
  readonly type: HTMLSelectElement;
  /** Of the texts whose type the file does not say. */
  readonly inferred: EdmTypes;
}

export class ImportForm {
  readonly #fields = byId('import-fields', HTMLElement);
  readonly #list = byId('import-columns', HTMLTableSectionElement);
  readonly table = new Field('Table', makeText(''));
  #partitionKey = new Field('PartitionKey', makeSelect([], ''));
  #rowKey = new Field('RowKey', makeSelect([], ''));
  #mode = new Field('If an entity exists', makeSelect(Object.keys(MODES), ''));
  #onePartition = '';
  #rows: ColumnRow[] = [];
  #forms: TextForms = PLAIN_FORMS;

  constructor(onChange: () => void) {
    const fields = [this.table, this.#partitionKey, this.#rowKey, this.#mode];
    this.#fields.append(...fields.map(({ element }) => element));
    byId('import-plan', HTMLElement).addEventListener('change', onChange);
  }

  fill({ columns }: FileSummary, plan: ImportPlan): void {
    const names = columns.map(({ name }) => name);
    const { partitionKey, rowKey } = plan;
    this.#forms = plan.forms;
    this.#onePartition = 'text' in partitionKey ? partitionKey.text : 'rows';
    const one = `The same for all: ${this.#onePartition}`;
    const chosen = 'column' in partitionKey ? partitionKey.column : one;
    this.table.control.value = plan.table;
    this.#partitionKey.control = makeSelect([one, ...names], chosen);
    this.#rowKey.control = makeSelect([ROW_NUMBER, ...names], rowKey ?? ROW_NUMBER);
    this.#rows = columns.map((column) =>
      rowOf(
        column,
        plan.columns.find((one) => one.column === column.name),
      ),
    );
    this.#list.replaceChildren(
      ...this.#rows.map((row, at) => tableRow(row, columns[at]!, plan.forms)),
    );
  }

  get plan(): ImportPlan {
    const isColumn = (select: Field) => (select.control as HTMLSelectElement).selectedIndex > 0;
    const keyColumn = this.#partitionKey.value;
    return {
      table: this.table.value.trim(),
      partitionKey: isColumn(this.#partitionKey)
        ? { column: keyColumn }
        : { text: this.#onePartition },
      rowKey: isColumn(this.#rowKey) ? this.#rowKey.value : undefined,
      columns: this.#rows
        .filter(({ type }) => type.value !== LEFT_OUT)
        .map(({ column, property, type: { value }, inferred }): ColumnPlan => ({
          column,
          property: property.value.trim(),
          type: value === AS_IN_FILE ? inferred : (value as EdmTypes),
          isForAll: value !== AS_IN_FILE,
        })),
      mode: MODES[this.#mode.value]!,
      forms: this.#forms,
    };
  }
}

function rowOf(column: ColumnSummary, plan: ColumnPlan | undefined): ColumnRow {
  const { name, type, declared, hasNested } = column;
  const [types, suggested] =
    declared.size > 0 || hasNested ? [[AS_IN_FILE, ...EDM_TYPES], AS_IN_FILE] : [EDM_TYPES, type];
  const row = {
    column: name,
    inferred: type,
    property: makeText(plan?.property ?? name),
    type: makeSelect([...types, LEFT_OUT], plan ? suggested : LEFT_OUT),
  };
  row.property.ariaLabel = `Property for ${name}`;
  row.type.ariaLabel = `Type of ${name}`;
  return row;
}

function tableRow(row: ColumnRow, summary: ColumnSummary, forms: TextForms): HTMLElement {
  const { column, property, type } = row;
  const examples = make('td', { class: 'examples-of' });
  const show = () => {
    const chosen = EDM_TYPES.find((one) => one === type.value) ?? row.inferred;
    const texts = summary.examples.map((cell) =>
      typeof cell === 'string' ? shownValue(chosen, cell, forms) : cell.text,
    );
    examples.textContent = texts.join(' · ');
  };
  type.addEventListener('change', show);
  show();
  const declared = [...summary.declared].join(', ');
  return make(
    'tr',
    {},
    make('th', { scope: 'row' }, column),
    make('td', {}, property),
    make('td', {}, type, ...(declared ? [make('span', { class: 'type' }, declared)] : [])),
    examples,
  );
}
