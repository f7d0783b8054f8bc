/**
 * What the form means as it is: the entity, or everything that is wrong.
 *
 * @module
 */

import { readForm, type FormIssue } from 'entitable/forms';

import { byId, make } from '../ui/dom.js';
import { literal } from './literal.js';
import { pets } from './pets.js';
import { typesOf } from './types.js';

const TYPES = typesOf(pets.jsonSchema());

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export class EntityPanel {
  readonly #form: HTMLFormElement;
  readonly #state = byId('entity-state', HTMLElement);
  readonly #content = byId('entity', HTMLElement);
  #runs = 0;

  constructor(form: HTMLFormElement) {
    this.#form = form;
  }

  /** Reads the form again. */
  async refresh(language: string): Promise<void> {
    const run = ++this.#runs;
    const data = new FormData(this.#form);
    const { value, issues = [] } = await readForm(data, pets, { timeZone: 'UTC' });
    // A later read knows more.
    if (run !== this.#runs) return;
    const all = [...issues.map((issue) => this.#lineOf(issue)), ...this.#beyond(issues)];
    this.#state.classList.toggle('is-right', all.length === 0);
    this.#state.textContent = stateText(all.length);
    this.#content.replaceChildren(
      all.length || !value ? issueList(all, language) : entityTable(value),
    );
  }

  // The bound form gives each wrong control its message.
  get #wrong(): Control[] {
    return [...this.#form.querySelectorAll<Control>('[name]:invalid')];
  }

  #lineOf({ name = '', message, rule, code }: FormIssue): Line {
    const control = this.#wrong.find((one) => one.name === name);
    return {
      ...{ name, code, message: control?.validationMessage ?? message },
      rule: rule ?? 'rule between properties',
    };
  }

  // What the browser or a check finds, beyond the definition.
  #beyond(issues: readonly FormIssue[]): Line[] {
    return this.#wrong
      .filter(({ name }) => !issues.some((issue) => issue.name === name))
      .map(({ name, validity, validationMessage: message }) => {
        const isHtml = validity.typeMismatch || validity.badInput;
        return { name, message, rule: isHtml ? 'rule of the browser' : 'check' };
      });
  }
}

interface Line {
  readonly name: string;
  readonly message: string;
  readonly rule: string;
  readonly code?: string | undefined;
}

function stateText(count: number): string {
  if (count === 0) return 'Ready to store';
  return count === 1 ? '1 broken rule' : `${count} broken rules`;
}

function issueList(lines: readonly Line[], language: string): HTMLElement {
  const items = lines.map(({ name, message, rule, code }) => {
    const codes = [rule, ...(code ? [code] : [])].map((text) => make('code', {}, text));
    return make(
      'li',
      {},
      make('code', { class: 'issue-name' }, name),
      make('span', { lang: language }, message),
      make('span', { class: 'issue-rule' }, ...codes.flatMap((one, at) => (at ? [' ', one] : one))),
    );
  });
  return make('ul', { class: 'issues' }, ...items);
}

function entityTable(row: object): HTMLElement {
  const values = new Map(Object.entries(row) as [string, unknown][]);
  const rows = [...TYPES].map(([name, type]) => {
    const value = values.get(name);
    const isThere = value !== undefined;
    return make(
      'tr',
      {},
      make('th', { scope: 'row' }, name),
      make('td', { class: `type type-${type.toLowerCase()}` }, type),
      make(
        'td',
        { class: isThere ? 'value' : 'value absent' },
        isThere ? literal(value) : 'absent',
      ),
    );
  });
  return make('table', { class: 'entity' }, make('tbody', {}, ...rows));
}
