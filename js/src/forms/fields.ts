/**
 * The fields of a bound form.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { shown } from '../base/shown.js';
import type { TableProperties } from '../schema/rows.js';
import { controlsOf, type Control } from './controls.js';
import { Field, type FieldTools } from './field.js';
import { emptyRow, namesOf } from './form-rows.js';

/** The controls of a form that are properties of a table. */
export class Fields {
  readonly #form: HTMLFormElement;
  readonly #properties: TableProperties;
  readonly #names: readonly string[];
  readonly #tools: FieldTools;
  readonly #byName = new Map<string, Field>();
  /** The user has changed something. */
  isTouched = false;

  /** @param names - the properties that the form may set; by default all. */
  constructor(
    form: HTMLFormElement,
    properties: TableProperties,
    names: readonly string[] | undefined,
    tools: FieldTools,
  ) {
    this.#form = form;
    this.#properties = properties;
    this.#names = namesOf(properties, names);
    this.#tools = tools;
    this.scan();
  }

  /** Finds the controls. A framework may have made others since the last time. */
  scan(): void {
    for (const [name, controls] of controlsOf(this.#form)) {
      if (!this.#names.includes(name)) continue;
      const { rules } = this.#properties[name]!;
      const known = this.#byName.get(name);
      if (known) known.adopt(controls);
      else this.#byName.set(name, new Field(this.#form, name, rules, controls, this.#tools));
    }
  }

  /**
   * Refuses a form that can never be submitted.
   *
   * @param values - those that are not for the user. A function may return any.
   * @throws {@link TableError} `InvalidInput`, if a required property has no control and no value.
   */
  requireAll(values: unknown): void {
    if (typeof values === 'function') return;
    const missing = Object.entries(this.#properties).find(
      ([name, { rules }]) =>
        rules.presence === 'required' &&
        !this.get(name) &&
        (values as Record<string, unknown> | undefined)?.[name] === undefined,
    );
    if (!missing) return;
    const others = [...controlsOf(this.#form).keys()].filter((name) => !this.get(name));
    throw invalidInput(
      `The required property ${shown(missing[0])} has no control, and no value in the option values.` +
        ` Controls that are no property: ${others.map(shown).join(', ') || 'none'}.`,
    );
  }

  /** In the order of the form. */
  get all(): readonly Field[] {
    return [...this.#byName.values()];
  }

  get(name: string | undefined): Field | undefined {
    return this.#byName.get(name ?? '');
  }

  /** The field of a control, if it is one of this form. */
  at(target: EventTarget | null): Field | undefined {
    const control = target as Control;
    if (control.form !== this.#form) return undefined;
    if (!this.get(control.name)?.controls.includes(control)) this.scan();
    return this.get(control.name);
  }

  /** Those that the user has to correct. */
  get wrong(): readonly Field[] {
    return this.all.filter((field) => field.message && !field.isHidden);
  }

  /** What the form holds. */
  get row(): Record<string, unknown> {
    const row = emptyRow();
    for (const { name, value } of this.all) if (value !== undefined) row[name] = value;
    return row;
  }

  /** Reads every control. Undefined, or resolves when the files are read, too. */
  read(): Promise<unknown> | undefined {
    for (const field of this.all) field.read();
    const readings = this.all.flatMap(({ reading }) => reading ?? []);
    return readings.length ? Promise.all(readings) : undefined;
  }
}
