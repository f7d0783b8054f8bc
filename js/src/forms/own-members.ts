/**
 * The members that every form has.
 *
 * @module
 */

/**
 * The form without its controls as members. A control named `elements` or `setAttribute` would
 * hide the member of that name, so members are taken from the class.
 */
export function withOwnMembers(form: HTMLFormElement): HTMLFormElement {
  // The form may be of another frame.
  const members = Object.getPrototypeOf(form) as object;
  return new Proxy(form, {
    get(_, name) {
      const member: unknown = Reflect.get(members, name, form);
      return typeof member === 'function' ? (member.bind(form) as unknown) : member;
    },
    set: (_, name, value) => Reflect.set(members, name, value, form),
  });
}
