/**
 * A list of what is wrong with a form, with links to the controls.
 *
 * @module
 */

import type { Control } from './controls.js';
import type { FormIssue } from './models.js';

let made = 0;

/** What is wrong; a property without a control has none. */
interface Listed extends Pick<FormIssue, 'name' | 'message'> {
  readonly controls: readonly Control[];
}

/** Lists fields in an element, with their messages. */
export class Summary {
  readonly #element: HTMLElement;
  readonly #identified: Element[] = [];
  #shown = '';

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  show(heading: string, fields: readonly Listed[]): void {
    const lines = fields.map(
      ({ name, controls, message }) => `${controls.length ? labelOf(controls) : name}: ${message}`,
    );
    const shown = [heading, ...lines].join('\n');
    // It is announced again with each change.
    if (shown === this.#shown && this.#element.hasChildNodes()) return;
    this.#shown = shown;
    const items = fields.map((field, at) => {
      const item = this.#make('li');
      const [control] = field.controls;
      item.append(control ? this.#linkTo(control, lines[at]!) : lines[at]!);
      return item;
    });
    const [title, list] = [this.#make('p'), this.#make('ul')];
    title.textContent = heading;
    list.append(...items);
    this.#element.replaceChildren(...(heading ? [title] : []), list);
  }

  #linkTo(control: Control, text: string): HTMLElement {
    if (!control.id) {
      control.id = `entitable-control-${++made}`;
      this.#identified.push(control);
    }
    const link = this.#make('a');
    link.href = `#${control.id}`;
    link.textContent = text;
    link.addEventListener('click', (event) => {
      event.preventDefault();
      control.focus();
    });
    return link;
  }

  #make<Name extends keyof HTMLElementTagNameMap>(name: Name): HTMLElementTagNameMap[Name] {
    return this.#element.ownerDocument.createElement(name);
  }

  /** Removes what was added to controls. */
  end(): void {
    for (const control of this.#identified) control.removeAttribute('id');
  }
}

// The name of a control for the user.
function labelOf([control]: readonly Control[]): string {
  const group =
    control!.type === 'radio' ? control!.closest('fieldset')?.querySelector('legend') : null;
  const label = (group ?? control!.labels?.[0])?.cloneNode(true) as Element | undefined;
  // The texts of a control within the label are values.
  for (const inner of label?.querySelectorAll('select, textarea, button') ?? []) inner.remove();
  const text = label?.textContent ?? control!.getAttribute('aria-label');
  const name = text?.trim() ?? '';
  return name === '' ? control!.name : name;
}
