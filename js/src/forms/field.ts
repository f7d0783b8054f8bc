/**
 * One value of a bound form: its controls and its message.
 *
 * @module
 */

import type { PropertyRules } from '../schema/properties.js';
import type { Issue } from '../schema/validate.js';
import { fitsType } from '../schema/values.js';
import type { Place } from './added.js';
import { filesOf, isHidden, kindOf, textsOf, type Control } from './controls.js';
import type { FormIssue } from './models.js';
import type * as Filling from './filling.js';
import { bytesOf } from './form-rows.js';
import type * as Outfit from './outfit.js';
import { isPrecise, valueOf } from './text-values.js';
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

/** The controls of one name, or one without a name. */
export class Field {
  readonly name: string;
  /** Whether it is a property of the table. Of others, only the rules of the browser count. */
  readonly isProperty: boolean;
  readonly rules: PropertyRules;
  readonly #form: HTMLFormElement;
  readonly #tools: FieldTools;
  #place: Place | undefined;
  /** Takes the hints from a control. */
  readonly #undo = new Map<Control, () => void>();

  controls: readonly Control[] = [];
  /** Undefined, if it is absent. */
  value: unknown;
  /** While the bytes of a file are read. */
  reading: Promise<void> | undefined;
  /** The number of the last change by the user; 0, if there is none. */
  changed = 0;
  /** It was left, or the form was submitted. */
  isVisited = false;
  /** What the definition or the browser finds wrong, in words for the user. */
  issue: FormIssue | undefined;
  /** What the browser finds wrong: an address of e-mail, say. */
  native: Issue | undefined;
  /** What a check or a submit finds wrong with this value. */
  refusal = '';
  #told = '';
  /** What `fill` has shown: the value, until the controls have other texts. */
  #filled: { readonly value: unknown; readonly texts: string } | undefined;

  /**
   * @param rules - undefined, if it is no property.
   * @throws TypeError, if a control of a property has many values.
   */
  constructor(
    form: HTMLFormElement,
    name: string,
    rules: PropertyRules | undefined,
    controls: readonly Control[],
    tools: FieldTools,
  ) {
    this.name = name;
    this.isProperty = rules !== undefined;
    this.rules = rules ?? rulesOfOther(controls);
    this.#form = form;
    this.#tools = tools;
    this.adopt(controls);
  }

  get message(): string {
    return this.issue?.message ?? this.refusal;
  }

  /** The user cannot see it. */
  get isHidden(): boolean {
    return this.controls.every(isHidden);
  }

  /** What messages know about it. */
  get place(): Pick<FormIssue, 'hint' | 'kind' | 'type'> {
    const kind = kindOf(this.controls);
    return { kind, hint: this.controls[0]?.title, type: this.rules.type };
  }

  /** A framework may have made new controls. */
  adopt(controls: readonly Control[]): void {
    const added = controls.filter((control) => !this.controls.includes(control));
    for (const control of added) {
      if (this.isProperty && control.type === 'select-multiple') {
        throw new TypeError(`The control ${this.name} has several values.`);
      }
      // The user may type a time without a zone.
      if (this.rules.type === 'DateTime' && !isHidden(control) && !this.#tools.hasZone) {
        throw new TypeError(`The control ${this.name} needs the option timeZone.`);
      }
    }
    this.#release(this.controls.filter((control) => !controls.includes(control)));
    this.controls = controls;
    this.#equip(added);
    if (added.length) this.read();
  }

  /** More tools are loaded. */
  equip(): void {
    this.#equip(this.controls);
    this.read();
  }

  #equip(controls: readonly Control[]): void {
    const { outfit, times } = this.#tools;
    if (!outfit || !this.isProperty) return;
    for (const control of controls) {
      this.#undo.set(control, outfit.addHints(control, this.rules, times));
    }
    this.#makePlace(outfit);
  }

  #makePlace(outfit: typeof Outfit): void {
    this.#place ??= outfit.errorPlace(this.#form, this.name, this.controls);
  }

  /** Shows a value, and keeps it whole: a control may show less of it. */
  fill(given: unknown, { plainOf, showValue }: typeof Filling): void {
    const { rules, controls } = this;
    showValue(controls, given, this.#tools.times);
    const value = plainOf(given);
    const isChosen = controls[0]!.type === 'file' && filesOf(controls).length > 0;
    const isWhole = !isChosen && fitsType(rules.type, isPrecise(rules), value);
    this.#filled = isWhole ? { value, texts: this.#texts } : undefined;
  }

  /** Reads only the controls from now on. */
  forgetFilled(): void {
    this.#filled = undefined;
  }

  get #texts(): string {
    return JSON.stringify(textsOf(this.controls));
  }

  /** Reads the controls. Files are read later. */
  read(): void {
    const controls = this.controls;
    const filled = this.#filled?.texts === this.#texts ? this.#filled : undefined;
    this.refusal = this.#told = '';
    this.#readNative(filled !== undefined);
    if (!this.isProperty) return;
    this.reading = undefined;
    if (filled) {
      this.value = filled.value;
      return;
    }
    const { times } = this.#tools;
    const [{ type } = { type: '' }] = controls;
    if (type === 'file') return this.#readFiles();
    this.value = controls.some(({ validity }) => validity.badInput)
      ? UNREADABLE
      : valueOf(this.rules, textsOf(controls), times);
    const isBox = type === 'checkbox' && this.rules.type === 'Boolean';
    if (isBox) this.value ??= false;
  }

  #readNative(isFilled: boolean): void {
    const { outfit, times } = this.#tools;
    this.native = undefined;
    for (const control of this.controls) {
      // An app may have messages of its own at other controls.
      if (this.isProperty) control.setCustomValidity('');
      const { willValidate, validity } = control;
      // No control shows bytes.
      if (!willValidate || validity.valid || (isFilled && validity.valueMissing)) continue;
      this.native ??= {
        ...{ path: this.name ? [this.name] : [], message: control.validationMessage },
        ...outfit?.brokenRule(control, this.rules, times),
      };
    }
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
    if (this.isProperty && message !== this.#told) {
      this.#told = message;
      for (const control of this.controls) control.setCustomValidity(message);
    }
    const shown = this.isVisited ? message : '';
    const { outfit } = this.#tools;
    if (outfit && shown) this.#makePlace(outfit);
    if (this.#place) outfit!.showAt(this.#place, this.controls, shown);
  }

  /** Gives the controls back. */
  end(): void {
    this.#release(this.controls);
    this.#place?.undo();
  }

  #release(controls: readonly Control[]): void {
    for (const control of controls) {
      if (this.isProperty) control.setCustomValidity('');
      this.#undo.get(control)?.();
      this.#undo.delete(control);
    }
    if (this.#place) this.#tools.outfit!.unmark(this.#place, controls);
  }
}

// The browser's rules for its control are like those of this type.
const rulesOfOther = ([control]: readonly Control[]): PropertyRules => ({
  type: /^(number|range)$/.test(control!.type) ? 'Double' : 'String',
  presence: 'optional',
  constraints: {},
  checks: [],
});
