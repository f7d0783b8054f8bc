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

/** The controls of a form: those that are properties of a table, and others. */
export class Fields {
  readonly #form: HTMLFormElement;
  readonly #properties: TableProperties;
  readonly #names: readonly string[];
  readonly #tools: FieldTools;
  #byKey = new Map<string | Control, Field>();
  /** What `fill` was given: the row has it where no control does. */
  #given: Record<string, unknown> = {};
  /** How often the user has changed something. */
  changes = 0;

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

  /** Finds the controls. A framework may have made or removed some since the last time. */
  scan(): void {
    const found = controlsOf(this.#form);
    const before = this.#byKey;
    // A control may have got another name: first its old field gives it back.
    for (const [key, field] of before) {
      const controls = found.get(key);
      if (controls) field.adopt(controls);
      else field.end();
    }
    this.#byKey = new Map(
      [...found].map(([key, controls]) => [key, before.get(key) ?? this.#fieldOf(key, controls)]),
    );
  }

  #fieldOf(key: string | Control, controls: readonly Control[]): Field {
    const name = typeof key === 'string' ? key : '';
    const rules = this.#names.includes(name) ? this.#properties[name]!.rules : undefined;
    return new Field(this.#form, name, rules, controls, this.#tools);
  }

  /**
   * Refuses a form that can never be submitted, or that loses what the user types.
   *
   * @param values - those that are not for the user. A function may return any.
   * @throws {@link TableError} `InvalidInput`, if a required property has no control and no value,
   * or if a property has a value and a control that the user sees.
   */
  checkValues(values: unknown): void {
    if (typeof values === 'function') return;
    const given = Object.entries(values ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : name,
    );
    const twice = given.find((name) => this.property(name)?.isHidden === false);
    if (twice !== undefined) {
      throw invalidInput(
        `The option values has a value for ${shown(twice)}, which would replace the user's` +
          ' input in its control. Show a value with fill().',
      );
    }
    const missing = Object.entries(this.#properties).find(
      ([name, { rules }]) =>
        rules.presence === 'required' && !this.property(name) && !given.includes(name),
    );
    if (!missing) return;
    const others = this.all.flatMap(({ isProperty, name }) => (isProperty || !name ? [] : name));
    throw invalidInput(
      `The required property ${shown(missing[0])} has no control, and no value in the option values.` +
        ` Controls that are no property: ${others.map(shown).join(', ') || 'none'}.`,
    );
  }

  /** @throws {@link TableError} `InvalidInput`, if one has no property that the form may set. */
  checkNames(checks: object = {}): void {
    const unknownName = Object.keys(checks).find((name) => !this.#names.includes(name));
    if (unknownName === undefined) return;
    throw invalidInput(
      `The check of ${shown(unknownName)} is of no property that the form may set.`,
    );
  }

  /** In the order of the form. */
  get all(): readonly Field[] {
    return [...this.#byKey.values()];
  }

  get(name: string | undefined): Field | undefined {
    return this.#byKey.get(name ?? '');
  }

  /** The field of a property that the form may set. */
  property(name: string): Field | undefined {
    const field = this.get(name);
    return field?.isProperty ? field : undefined;
  }

  /** The field of a control, if it is one of this form. */
  at(target: EventTarget | null): Field | undefined {
    this.scan();
    return this.all.find(({ controls }) => controls.includes(target as Control));
  }

  /** Those that the user has to correct. */
  get wrong(): readonly Field[] {
    return this.all.filter((field) => field.message && !field.isHidden);
  }

  /**
   * Keeps what no control shows of a row, so that a submit does not lose it. A row of the store
   * takes the place of the one before, so it also clears the controls of what it does not have.
   *
   * @returns what to show.
   */
  keep(row: object): Record<string, unknown> {
    const { etag, timestamp: _, ...given } = row as Record<string, unknown>;
    const isStored = etag !== undefined;
    this.#given = isStored ? given : { ...this.#given, ...given };
    if (!isStored) return given;
    const names = this.all.filter(({ isProperty }) => isProperty).map(({ name }) => name);
    return { ...Object.fromEntries(names.map((name) => [name, undefined])), ...given };
  }

  /** The form is for another row. */
  forget(): void {
    this.#given = {};
    for (const field of this.all) {
      field.isVisited = false;
      field.filled = undefined;
    }
  }

  /** What the form holds. */
  get row(): Record<string, unknown> {
    const row = emptyRow();
    for (const [name, value] of Object.entries(this.#given)) {
      if (value !== undefined && !this.property(name)) row[name] = value;
    }
    for (const { name, isProperty, value } of this.all) {
      if (isProperty && value !== undefined) row[name] = value;
    }
    return row;
  }

  /** Reads every control. Undefined, or resolves when the files are read, too. */
  read(): Promise<unknown> | undefined {
    for (const field of this.all) field.read();
    const readings = this.all.flatMap(({ reading }) => reading ?? []);
    return readings.length ? Promise.all(readings) : undefined;
  }
}
