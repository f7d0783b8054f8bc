/**
 * Forms that know the rules of a declared table, without a framework. `readForm` needs no page.
 *
 * @module
 */

export { bindForm } from './forms/bind-form.js';
export { fillForm } from './forms/fill-form.js';
export { localize } from './forms/issue-texts.js';
export { messagesFor } from './forms/messages.js';
export type {
  BindOptions,
  BoundForm,
  DraftAccount,
  FormCheck,
  FormIssue,
  MessageFunction,
  Messages,
  MessageSource,
  ReadOptions,
} from './forms/models.js';
export { readForm } from './forms/read-form.js';
export { resolverFor, type FormResolver, type FormValues } from './forms/resolver.js';
export type { PluralText, Texts } from './forms/texts.js';
