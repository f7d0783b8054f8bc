/**
 * Members of objects whose names are data. `constructor` and `__proto__` are such names, too.
 *
 * @module
 */

/** The value of a member that the object itself has; undefined, if it has none. */
export const own = (values: object, name: string): unknown =>
  Object.hasOwn(values, name) ? (values as Readonly<Record<string, unknown>>)[name] : undefined;
