/**
 * Files that cannot be imported, by their beginnings.
 *
 * @module
 */

const BLANK = /^\uFEFF?\s*$/;
const HTML = /^\uFEFF?\s*<(?:!doctype html|html)/i;
const ARCHIVE = /^\s*\{"entitable":"archive","version":(\d+)/;
const JSON_NAME = /\.(?:json|jsonl|ndjson)$/i;
// An empty table has no line, and standard input has no name.
const MAY_BE_EMPTY = /^-$|\.(?:jsonl|ndjson)$/i;

/** Says which version an archive has, if a later version of the package has written it. */
export function newerArchiveText(beginning: string): string | undefined {
  const [, version] = ARCHIVE.exec(beginning) ?? [];
  if (version === undefined || version === '1') return undefined;
  return `is an archive of version ${version}, which a newer program has written`;
}

/**
 * Says in words what a file is that cannot be imported.
 *
 * @param beginning - of its text, enough to show its kind.
 * @param isWhole - whether it has no more text.
 * @returns undefined, if it may have rows or tables, or is an empty table.
 */
export function noTableText(name: string, beginning: string, isWhole: boolean): string | undefined {
  if (isWhole && BLANK.test(beginning)) return MAY_BE_EMPTY.test(name) ? undefined : 'is empty';
  const newer = newerArchiveText(beginning);
  if (newer) return newer;
  if (HTML.test(beginning)) return 'is an HTML page, and has no rows';
  if (beginning.startsWith('%PDF-')) return 'is a PDF, and has no rows';
  if (JSON_NAME.test(name) && isJsonValue(beginning)) return 'has a JSON value that is no object';
  return undefined;
}

function isJsonValue(beginning: string): boolean {
  const [line] = beginning.replace(/^\uFEFF?\s*/, '').split('\n', 1);
  try {
    JSON.parse(line!);
    return !/^[[{]/.test(line!);
  } catch {
    return false;
  }
}
