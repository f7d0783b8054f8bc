/**
 * One property of a bound form: its controls, its value and its message.
 *
 * @module
 */

import type { PropertyRules } from '../schema/properties.js';
import type { Issue } from '../schema/validate.js';
import type { Place } from './added.js';
import { filesOf, kindOf, textsOf, type Control } from './controls.js';
import type { FormIssue } from './models.js';
import { bytesOf } from './form-rows.js';
import type * as Outfit from './outfit.js';
import { valueOf } from './text-values.js';
import type { Times } from './times.js';

// What no property holds: the control has a text that its type cannot have.
const UNREADABLE: readonly never[] = [];

/** What is loaded after the fields are there. */
export interface FieldTools {
  /** Whether the app has stated a time zone. */
  readonly hasZone: boolean;
  times?: Times;
  outfit?: typeof Outfit;
}

/** The controls of one name. */
export class Field {
  readonly name: string;
  readonly rules: PropertyRules;
  readonly #form: HTMLFormElement;
  readonly #tools: FieldTools;
  #place: Place | undefined;
  readonly #undo: (() => void)[] = [];

  controls: readonly Control[] = [];
  /** Undefined, if it is absent. */
  value: unknown;
  /** While the bytes of a file are read. */
  reading: Promise<void> | undefined;
  /** It was left, or the form was submitted. */
  isVisited = false;
  /** What the definition or the browser finds wrong, in words for the user. */
  issue: FormIssue | undefined;
  /** What the browser finds wrong: an address of e-mail, say. */
  native: Issue | undefined;
  /** What a check or a submit finds wrong with this value. */
  refusal = '';
  #told = '';

  /** @throws TypeError, if a control has many values. */
  constructor(
    form: HTMLFormElement,
    name: string,
    rules: PropertyRules,
    controls: readonly Control[],
    tools: FieldTools,
  ) {
    this.name = name;
    this.rules = rules;
    this.#form = form;
    this.#tools = tools;
    this.adopt(controls);
  }

  get message(): string {
    return this.issue?.message ?? this.refusal;
  }

  /** The user cannot see it. */
  get isHidden(): boolean {
    return this.controls.every(({ type }) => type === 'hidden');
  }

  /** What messages know about it. */
  get place(): Pick<FormIssue, 'hint' | 'kind'> {
    return { kind: kindOf(this.controls), hint: this.controls[0]?.title };
  }

  /** A framework may have made new controls. */
  adopt(controls: readonly Control[]): void {
    const added = controls.filter((control) => !this.controls.includes(control));
    for (const control of added) {
      if (control.type === 'select-multiple') {
        throw new TypeError(`The control ${this.name} has several values.`);
      }
      // The user may type a time without a zone.
      if (this.rules.type === 'DateTime' && control.type !== 'hidden' && !this.#tools.hasZone) {
        throw new TypeError(`The control ${this.name} needs the option timeZone.`);
      }
    }
    this.controls = controls;
    this.#equip(added);
  }

  /** More tools are loaded. */
  equip(): void {
    this.#equip(this.controls);
    this.read();
  }

  #equip(controls: readonly Control[]): void {
    const { outfit, times } = this.#tools;
    if (!outfit) return;
    for (const control of controls) {
      this.#undo.push(outfit.addHints(control, this.rules, times));
    }
    if (this.#place) return;
    this.#place = outfit.errorPlace(this.#form, this.name, this.controls);
    this.#undo.push(this.#place.undo);
  }

  /** Reads the controls. Files are read later. */
  read(): void {
    const controls = this.controls;
    const { outfit, times } = this.#tools;
    this.refusal = this.#told = '';
    this.native = undefined;
    for (const control of controls) {
      control.setCustomValidity('');
      if (!control.willValidate || control.validity.valid) continue;
      this.native ??= {
        ...{ path: [this.name], message: control.validationMessage },
        ...outfit?.brokenRule(control, this.rules, times),
      };
    }
    const [{ type } = { type: '' }] = controls;
    if (type === 'file') return this.#readFiles();
    this.value = controls.some(({ validity }) => validity.badInput)
      ? UNREADABLE
      : valueOf(this.rules, textsOf(controls), times);
    const isBox = type === 'checkbox' && this.rules.type === 'Boolean';
    if (isBox) this.value ??= false;
  }

  #readFiles(): void {
    const bytes = Promise.all(filesOf(this.controls).map(bytesOf));
    const reading = bytes
      .then((files) => valueOf(this.rules, files, this.#tools.times))
      // The file was removed since, say.
      .catch(() => UNREADABLE)
      .then((value) => {
        if (this.reading !== reading) return;
        this.reading = undefined;
        this.value = value;
      });
    this.reading = reading;
  }

  /** The text of its control; of a box, the one that it sends when it is checked. */
  get text(): string {
    return textsOf(this.controls)[0] ?? '';
  }

  /** Tells the browser at once; the user, when the field was visited. */
  show(): void {
    const { message } = this;
    if (message !== this.#told) {
      this.#told = message;
      for (const control of this.controls) control.setCustomValidity(message);
    }
    const shown = this.isVisited ? message : '';
    if (this.#place) this.#tools.outfit!.showAt(this.#place, this.controls, shown);
  }

  /** Gives the controls back. */
  end(): void {
    this.issue = undefined;
    this.refusal = '';
    this.show();
    for (const undo of this.#undo) undo();
  }
}
