/**
 * Elements and attributes that a form has only while it is bound.
 *
 * @module
 */

/** Sets attributes that are not set, and returns a function that removes them. */
export function addAttributes(
  element: Element,
  attributes: Readonly<Record<string, string | undefined>>,
): () => void {
  const added = Object.entries(attributes).filter(
    ([name, value]) => value !== undefined && !element.hasAttribute(name),
  );
  for (const [name, value] of added) element.setAttribute(name, value!);
  return () => added.forEach(([name]) => element.removeAttribute(name));
}

/** Sets an attribute; an empty value removes it. */
export function setAttribute(element: Element, name: string, value: string): void {
  if (value) element.setAttribute(name, value);
  else element.removeAttribute(name);
}

/** An element for messages. */
export interface Place {
  readonly element: HTMLElement;
  /** Removes what was added to the page. */
  readonly undo: () => void;
}

/** A place with these attributes: an element of the app, or a new one, which is in no page yet. */
export function placeFor(
  form: HTMLFormElement,
  own: HTMLElement | undefined,
  attributes: Readonly<Record<string, string>>,
): Place {
  const element = own ?? form.ownerDocument.createElement('div');
  const undo = addAttributes(element, attributes);
  return {
    element,
    undo() {
      element.replaceChildren();
      if (own) undo();
      else element.remove();
    },
  };
}
