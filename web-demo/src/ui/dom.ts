/**
 * Finds and creates elements.
 *
 * @module
 */

let root: Document | ShadowRoot | undefined;

/** Where the elements are: the page, or the explorer that an app has mounted. */
export function elementRoot(): Document | ShadowRoot {
  return root ?? document;
}

/** From now on, elements are looked up there; undefined for the page. */
export function setElementRoot(place: ShadowRoot | undefined): void {
  root = place;
}

/** The element with this id, which must have this class. */
export function byId<T extends Element>(id: string, type: abstract new () => T): T {
  const found = elementRoot().getElementById(id);
  if (!(found instanceof type)) throw new Error(`#${id} is no ${type.name}.`);
  return found;
}

/** Answers clicks on the button with this id. */
export function onClick(id: string, work: () => void): void {
  byId(id, HTMLButtonElement).addEventListener('click', work);
}

/** Below a button, and within the window. */
export function placeMenu(menu: HTMLElement, button: HTMLElement): void {
  menu.addEventListener('beforetoggle', () => {
    const { right, bottom } = button.getBoundingClientRect();
    menu.style.top = `${bottom + 4}px`;
    menu.style.right = `${document.documentElement.clientWidth - right}px`;
  });
}

/** Disables a button, which says why, or enables it. */
export function disable(
  button: HTMLButtonElement,
  isDisabled: boolean,
  why = 'Something is being loaded.',
): void {
  button.disabled = isDisabled;
  button.title = isDisabled ? why : '';
}

/** Whether keys are for a text field, or for a dialog. */
export function isTyping({ target }: Event): boolean {
  const isText =
    target instanceof Element && target.matches('textarea, select, input:not([type=checkbox])');
  return isText || elementRoot().querySelector('dialog[open]') !== null;
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

/** Creates an element of a picture. */
export function makeSvg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | number>>,
  ...children: Node[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, `${value}`);
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
