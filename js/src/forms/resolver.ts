/**
 * A resolver of react-hook-form. Nothing of that library is imported: the types are those that its
 * resolvers have.
 *
 * @module
 */

import { isObject } from '../base/kinds.js';
import { loaded } from '../base/loaded.js';
import type { PlatformBlob } from '../base/platform.js';
import type { PropertyRules } from '../schema/properties.js';
import type { Row, RowInput, TableProperties } from '../schema/rows.js';
import type { TableDefinition } from '../schema/table-definition.js';
import { fileValue, withValues } from './form-rows.js';
import { inWords } from './in-words.js';
import { issueTexts } from './issue-texts.js';
import type { FormIssue, ReadOptions } from './models.js';
import { valueOf } from './text-values.js';
import type { Times } from './times.js';

/** The values of a form, before they are read: texts, files, and values as the table has them. */
export type FormValues<Properties> = {
  [Name in keyof RowInput<Properties>]?:
    RowInput<Properties>[Name] | string | ArrayLike<PlatformBlob> | null | undefined;
};

/** What a resolver gets beside the values. */
interface ResolverContext {
  readonly fields: object;
  readonly names?: readonly string[] | undefined;
}

/** A resolver of react-hook-form. */
export type FormResolver<Values, Result> = (
  values: Values,
  context: unknown,
  options: ResolverContext,
) => Promise<{
  /** The row; empty, if there are errors. */
  readonly values: Result;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- its type has the names of values
  readonly errors: any;
}>;

type Values = Record<string, unknown>;

/**
 * Returns a resolver of react-hook-form, which reads the values of a form as the declared types,
 * and checks them by the rules of the table.
 *
 * An empty text is no value, and a file control holds the file or its bytes. An error has the rule
 * as its `type`, and stands at the path of its value, in an array or JSON, too. What is about the
 * whole row is in `errors.root`.
 *
 * @example
 * ```ts
 * const form = useForm({ resolver: resolverFor(tasks, { messages: messagesFor(['de']) }) });
 * ```
 */
export function resolverFor<Properties extends TableProperties>(
  table: TableDefinition<Properties>,
  options: Omit<ReadOptions<NoInfer<Properties>>, 'properties'> = {},
): FormResolver<FormValues<Properties>, Row<Properties>> {
  const { timeZone } = options;
  const addValues = withValues(options.values);
  return async (given, _, { fields, names = [] }) => {
    const copy = { ...given } as Values;
    const messages = await options.messages;
    const times = timeZone === undefined ? undefined : await zoned(timeZone);
    const row = addValues(await rowOf(table.properties, copy, times));
    const result = await table.validate(row);
    if (!result.issues) return { values: result.value, errors: {} };
    const texts = typeof messages === 'object' ? issueTexts(messages) : { messageOf: messages };
    const errors: Values = {};
    for (const issue of result.issues) {
      add(errors, inWords(issue, table, row, texts, { timeZone }), fields, names);
    }
    return { values: {} as Row<Properties>, errors };
  };
}

const zoned = async (timeZone: string) => (await loaded(import('./times.js'))).timesIn(timeZone);

async function rowOf(
  properties: TableProperties,
  given: Values,
  times: Times | undefined,
): Promise<Values> {
  const entries = Object.entries(given).map(async ([name, value]) => {
    const rules = Object.hasOwn(properties, name) ? properties[name]!.rules : undefined;
    return [name, rules ? await read(rules, value, times) : value] as const;
  });
  const known = await Promise.all(entries);
  return Object.fromEntries(known.filter(([, value]) => value !== undefined && value !== null));
}

function read(rules: PropertyRules, value: unknown, times: Times | undefined): unknown {
  if (typeof value === 'string') return valueOf(rules, [value], times);
  // A list of files, which is another one in each realm.
  if (rules.type !== 'Binary' || !isObject(value) || !('item' in value)) return value;
  const [file] = Array.from(value as unknown as ArrayLike<PlatformBlob>);
  return file && fileValue(rules, file as Blob);
}

/** Puts an issue at its path. The first one of a path stays. */
function add(
  errors: Values,
  { path = [], rule, message }: FormIssue,
  fields: object,
  names: readonly string[],
): void {
  const steps = path.map((step) => String(typeof step === 'object' ? step.key : step));
  const { ref } = (steps.reduce<unknown>(memberOf, fields) ?? {}) as { readonly ref?: unknown };
  // The errors of the items of a list of fields are the other members.
  const isOfList = names.some((name) => name.startsWith(`${steps.join('.')}.`));
  if (!steps.length || isOfList) steps.push('root');
  const place = steps.reduce<Values>(
    // An array, if the next step is a position.
    (within, step, at) => (within[step] ??= /^\d/.test(steps[at + 1] ?? '') ? [] : {}) as Values,
    errors,
  );
  if (!('message' in place))
    Object.assign(place, { type: rule ?? 'check', message }, ref ? { ref } : {});
}

const memberOf = (within: unknown, step: string): unknown =>
  isObject(within) && Object.hasOwn(within, step) ? (within as Values)[step] : undefined;
