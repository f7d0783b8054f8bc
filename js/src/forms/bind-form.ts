/**
 * Binds a form of a page to a declared table.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { checkedOptions } from '../base/options.js';
import type { PlatformElement } from '../base/platform.js';
import type { TableProperties } from '../schema/rows.js';
import type { TableDefinition } from '../schema/table-definition.js';
import type { FormTable, Options } from './any-table.js';
import { Binding } from './binding.js';
import { formOf } from './controls.js';
import type { BindOptions, BoundForm } from './models.js';

const KINDS = {
  account: 'any',
  checks: 'any',
  draft: 'string',
  messages: 'any',
  onSubmit: 'function',
  properties: 'strings',
  summary: 'any',
  timeZone: 'string',
  values: 'any',
} as const;

/**
 * Binds a form to a declared table, by the names of its controls. While the user types, the whole
 * row is checked. The validity of each control says at once whether its value is right. Its message
 * appears when the user leaves it or submits the form, and goes when the value is right.
 *
 * A message stands in the element of the form with `data-error` and the name of the property, or in
 * a new one after the control. Rules become attributes of the controls: `required`, `min`,
 * `maxlength`.
 *
 * @example
 * ```ts
 * bindForm(document.querySelector('#sign-up'), users, {
 *   values: { partitionKey: 'users' },
 *   messages: messagesFor(navigator.languages),
 *   onSubmit: (user) => table.createEntity(user),
 * });
 * ```
 * @throws {@link TableError} `InvalidInput`, if `onSubmit` is missing, an option is unknown, a
 * draft has no account, a control for a DateTime has no time zone, or a check names a property that
 * the form does not set. Unless `values` is a function: also if a required property has neither a
 * control nor a value, or if a property has a value and a control that the user sees.
 * @throws TypeError, if `form` is not a form element, or if a control takes several values.
 */
export function bindForm<Properties extends TableProperties>(
  form: PlatformElement | null,
  table: TableDefinition<Properties>,
  options: BindOptions<NoInfer<Properties>>,
): BoundForm<Properties> {
  // Inside, rows are of any table.
  const own = checkedOptions('bindForm', options as unknown as Options, KINDS);
  const { account, draft, onSubmit } = own as Partial<Options>;
  const missing = onSubmit ? draft !== undefined && !account && 'account for a draft' : 'onSubmit';
  if (missing) throw invalidInput(`bindForm needs the option ${missing}.`);
  const binding = new Binding(formOf('bindForm', form), table as unknown as FormTable, own);
  return binding as unknown as BoundForm<Properties>;
}
