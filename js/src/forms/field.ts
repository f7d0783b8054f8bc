/**
 * One value of a bound form: its controls and its message.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import type { Issue } from '../base/issue.js';
import { loaded } from '../base/loaded.js';
import type { PropertyRules } from '../schema/properties.js';
import { filesOf, isHidden, textsOf, type Control } from './controls.js';
import type { FieldDisplay } from './field-display.js';
import type { FormIssue } from './models.js';
import type { nativeIssue } from './native-rules.js';
import { valueOf } from './text-values.js';
import type { Times } from './times.js';

// Stands for a control whose text cannot be read as its type.
const UNREADABLE: readonly never[] = [];

/** What is loaded after the fields are there. */
export interface FieldTools {
  /** Whether the app has stated a time zone. */
  readonly hasZone: boolean;
  times?: Times;
  later?: {
    readonly FieldDisplay: typeof FieldDisplay;
    readonly nativeIssue: typeof nativeIssue;
  };
}

/** The controls of one name, or one without a name. */
export class Field {
  readonly name: string;
  /** Whether it is a property of the table. Of others, only the rules of the browser count. */
  readonly isProperty: boolean;
  readonly rules: PropertyRules;
  readonly #form: HTMLFormElement;
  readonly #tools: FieldTools;
  #display: FieldDisplay | undefined;

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
  filled: { readonly value: unknown; readonly texts: string } | undefined;

  /**
   * @param rules - undefined, if it is no property.
   * @throws TypeError, if a control of a property has many values; {@link TableError}
   * `InvalidInput`, if one needs a time zone, and none is stated.
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

  get times(): Times | undefined {
    return this.#tools.times;
  }

  /** The user cannot see it. */
  get isHidden(): boolean {
    return this.controls.every(isHidden);
  }

  /** A framework may have made new controls. */
  adopt(controls: readonly Control[]): void {
    const added = controls.filter((control) => !this.controls.includes(control));
    for (const control of added) {
      if (this.isProperty && control.type === 'select-multiple') {
        throw new TypeError(`The control ${this.name} has several values.`);
      }
      // The user may type a time without a time zone.
      if (this.rules.type === 'DateTime' && !isHidden(control) && !this.#tools.hasZone) {
        throw invalidInput(`The control ${this.name} needs the option timeZone.`);
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
    const { later, times } = this.#tools;
    if (!later) return;
    this.#display ??= new later.FieldDisplay(this.#form, this, times);
    this.#display.add(controls);
  }

  /** What the controls would send. */
  get texts(): string {
    return JSON.stringify(textsOf(this.controls));
  }

  /** Reads the controls. Files are read later. */
  read(): void {
    const { controls } = this;
    const { later, times } = this.#tools;
    const filled = this.filled?.texts === this.texts ? this.filled : undefined;
    this.refusal = this.#told = '';
    this.#tell(controls, '');
    this.native = later?.nativeIssue(this, filled !== undefined, times);
    if (!this.isProperty) return;
    this.reading = undefined;
    if (filled) {
      this.value = filled.value;
      return;
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
    const files = filesOf(this.controls);
    const reading = loaded(import('./field-files.js'))
      .then(({ valuesOf }) => valuesOf(this.rules, files))
      .then((values) => {
        if (this.reading !== reading) return;
        this.reading = undefined;
        this.value = values ? valueOf(this.rules, values, this.#tools.times) : UNREADABLE;
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
    if (message !== this.#told) this.#tell(this.controls, (this.#told = message));
    this.#display?.show(this.isVisited ? message : '');
  }

  // An app may have messages of its own at other controls.
  #tell(controls: readonly Control[], message: string): void {
    if (!this.isProperty) return;
    for (const control of controls) control.setCustomValidity(message);
  }

  /** Gives the controls back. */
  end(): void {
    this.#release(this.controls);
    this.#display?.end();
  }

  #release(controls: readonly Control[]): void {
    this.#tell(controls, '');
    this.#display?.release(controls);
  }
}

// The browser's rules for its control are like those of this type.
const rulesOfOther = ([control]: readonly Control[]): PropertyRules => ({
  type: /^(number|range)$/.test(control!.type) ? 'Double' : 'String',
  presence: 'optional',
  constraints: {},
  checks: [],
});
