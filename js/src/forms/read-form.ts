/**
 * Reads what a form sent, on servers and in workers, too.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { nameOf } from '../base/issue.js';
import type { PlatformFormData } from '../base/platform.js';
import { shown } from '../base/shown.js';
import type { PropertyRules } from '../schema/properties.js';
import type { Row, TableProperties } from '../schema/rows.js';
import type { StandardResult } from '../schema/standard.js';
import type { TableDefinition } from '../schema/table-definition.js';
import { emptyRow, fileValue, namesOf, withValues } from './form-rows.js';
import { inWords } from './in-words.js';
import type { FormIssue, ReadOptions } from './models.js';
import { valueOf } from './text-values.js';
import { timesIn } from './times.js';
import { issueTexts } from './issue-texts.js';

/**
 * Reads and checks what a form sent. It needs no page.
 *
 * Each entry becomes a value of the declared type, without loss. An empty entry is no value. An
 * unchecked box sends nothing, so a Boolean without an entry is false. Entries that are no property
 * are ignored.
 *
 * @example
 * ```ts
 * const { value, issues } = await readForm(await request.formData(), pets, {
 *   properties: ['name', 'age'],
 * });
 * ```
 * @throws {@link TableError} `InvalidInput`, if the option timeZone is missing and the request may
 * set a DateTime: one of `properties` that has no value in `values`.
 * @throws TypeError, if the table has no such property.
 */
export async function readForm<Properties extends TableProperties>(
  data: PlatformFormData,
  table: TableDefinition<Properties>,
  options: ReadOptions<NoInfer<Properties>> = {},
): Promise<StandardResult<Row<Properties>, FormIssue>> {
  const { timeZone, values } = options;
  const names = namesToRead(table, options);
  const loading = Promise.resolve(options.messages);
  const times = timesIn(timeZone);
  const entries = names.map(async (name) => {
    const { rules } = table.properties[name]!;
    const sent = await Promise.all(data.getAll(name).map((entry) => entryOf(rules, entry)));
    const read = valueOf(rules, sent, times);
    const value = read === undefined && rules.type === 'Boolean' ? false : read;
    return {
      name,
      value,
      isDay: sent.some((entry) => typeof entry === 'string' && DAY.test(entry)),
    };
  });
  const addValues = withValues(values);
  const row = emptyRow();
  const days = new Set<string | undefined>();
  for (const { name, value, isDay } of await Promise.all(entries)) {
    if (value !== undefined) row[name] = value;
    if (isDay) days.add(name);
  }
  const whole = addValues(row);
  const result = await table.validate(whole);
  if (!result.issues) return result;
  const messages = await loading;
  // Nothing is loaded later, because service workers forbid it.
  const texts = typeof messages === 'object' ? issueTexts(messages) : { messageOf: messages };
  const issues = result.issues.map((issue) => {
    const place = { timeZone, days: days.has(nameOf(issue)) ? times : undefined };
    return inWords(issue, table, whole, texts, place);
  });
  return { issues };
}

// What a control for days sends.
const DAY = /^\s*\d{4}-\d\d-\d\d\s*$/;

// The properties that a request may set. A missing zone is refused now, not when a user sends a
// time.
function namesToRead<Properties extends TableProperties>(
  { properties }: TableDefinition<Properties>,
  { properties: listed, values, timeZone }: ReadOptions<Properties>,
): readonly string[] {
  const given = typeof values === 'object' ? values : {};
  const names = namesOf(properties, listed).filter((name) => !Object.hasOwn(given, name));
  const time = names.find((name) => properties[name]!.rules.type === 'DateTime');
  if (time === undefined || timeZone !== undefined) return names;
  throw invalidInput(
    `readForm needs the option timeZone, because a request may set ${shown(time)}.` +
      ' If the form has no control for it, list the properties of the form.',
  );
}

// A file control without a file sends an empty one without a name.
async function entryOf(rules: PropertyRules, entry: unknown) {
  if (typeof entry === 'string') return entry;
  const file = entry as File;
  return file.size === 0 && !file.name ? '' : await fileValue(rules, file);
}
