// macros.ts - expands the `{{...}}` of the conformance files.

export type Variables = Map<string, string>;

// {{any}} and {{digit}} become these characters, which no answer has.
const ANY = '\x02';
const DIGIT = '\x01';

/** Replaces each macro as the README describes. Other text stays. */
export function expand(text: string, variables: Variables): string {
  // From the right, so that inner ones come first.
  for (
    let at = text.lastIndexOf('{{');
    at >= 0;
    at = at > 0 ? text.lastIndexOf('{{', at - 1) : -1
  ) {
    const end = text.indexOf('}}', at);
    if (end < 0) continue;
    const macro = text.slice(at + 2, end);
    const value = repeated(macro) ?? variable(macro, variables);
    if (value !== undefined) text = text.slice(0, at) + value + text.slice(end + 2);
  }
  return text;
}

// `63*a` and `252,"P#":1`.
function repeated(macro: string): string | undefined {
  const [, count, kind, piece] = /^(\d+)([*,])(.*)$/su.exec(macro) ?? [];
  if (piece === undefined) return undefined;
  if (kind === '*') return piece.repeat(Number(count));
  return Array.from({ length: Number(count) }, (_, i) => piece.replaceAll('#', `${i + 1}`)).join(
    ',',
  );
}

function variable(macro: string, variables: Variables): string | undefined {
  if (macro === 'any') return ANY;
  if (macro === 'digit') return DIGIT;
  const [name, form] = macro.split('|') as [string, string | undefined];
  const value = variables.get(name);
  if (value === undefined || form === undefined) return value;
  if (form === 'colon') return value.replaceAll(':', '%3A');
  return form === 'encode' ? encodeURIComponent(value) : value.padStart(Number(form), '0');
}

/** Whether the whole text matches the expanded pattern. */
export function matchesPattern(text: string, pattern: string): boolean {
  const source = pattern
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll(ANY, '.*?')
    .replaceAll(DIGIT, '\\d');
  return new RegExp(`^${source}$`, 's').test(text);
}
