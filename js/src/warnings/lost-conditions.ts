/**
 * Conditions that a function of an app joins by operators of JavaScript.
 *
 * A condition is an object, and `&&` and `||` take every object for true. So `a && b` is `b`, and
 * `a || b` is `a`, without an error. The text of the function shows it, and nothing else does: the
 * second operand of `||` is not even made.
 *
 * @module
 */

// The methods that make conditions, after the name of a property and a path in its JSON.
const METHODS = 'eq|ne|g[te]|l[te]|in|has|hasAny|startsWith|endsWith|contains';
const PROPERTY = String.raw`(?<name>[\p{L}\p{N}_$]+)(?:['"]\])?(?:\.get\([^()]*\))*\.(?:${METHODS})\(`;
// A tool may have written `(0, schema.and)(…)`.
const JOINED = String.raw`(?<![\p{L}\p{N}_$])(?:and|or|not)\)?\(`;

/** An operator that joins conditions, and the one before it. */
export interface LostCondition {
  readonly operator: '&&' | '||';
  readonly condition: string;
}

/**
 * Finds the first condition that an operator joins with something else.
 *
 * @param source - the text of a function.
 * @param names - of the properties of its table.
 */
export function lostCondition(source: string, names: readonly string[]): LostCondition | undefined {
  for (const found of source.matchAll(new RegExp(`${PROPERTY}|${JOINED}`, 'gu'))) {
    const name = found.groups!['name'];
    if (name !== undefined && !names.includes(name)) continue;
    const end = endOfCall(source, found.index + found[0].length);
    const [, operator] = /^\s*(&&|\|\|)/.exec(source.slice(end)) ?? [];
    if (!operator) continue;
    const condition = source.slice(found.index, end);
    return { operator: operator as LostCondition['operator'], condition };
  }
  return undefined;
}

// The place behind the parenthesis that ends a call.
function endOfCall(source: string, start: number): number {
  let depth = 1;
  const pattern = /[()]|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/gs;
  pattern.lastIndex = start;
  for (let found = pattern.exec(source); found; found = pattern.exec(source)) {
    if (found[0] === '(') depth++;
    if (found[0] === ')' && --depth === 0) return pattern.lastIndex;
  }
  return source.length;
}
