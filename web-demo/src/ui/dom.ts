/**
 * Finds and creates elements.
 *
 * @module
 */

/** The element of index.html with this id, which must have this class. */
export function byId<T extends Element>(id: string, type: abstract new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`#${id} is no ${type.name}.`);
  return found;
}

type Child = Node | string;
type Attributes = Readonly<Record<string, string | boolean>>;

/** Creates an element. An attribute that is `true` has no value; `false` leaves it out. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children);
  return element;
}

/** Creates a button that does not submit a form. */
export function makeButton(
  attributes: Attributes,
  onClick: () => void,
  ...children: Child[]
): HTMLButtonElement {
  const button = make('button', { type: 'button', ...attributes }, ...children);
  button.addEventListener('click', onClick);
  return button;
}
