/**
 * Where the texts for the user come from.
 *
 * @module
 */

import { loaded } from '../base/loaded.js';
import type { MessageFunction } from './models.js';
import type { Texts } from './texts.js';

const LANGUAGES: Readonly<Record<string, () => Promise<{ readonly messages: Texts }>>> = {
  de: () => import('./messages/de.js'),
  en: () => import('./messages/en.js'),
  es: () => import('./messages/es.js'),
  fr: () => import('./messages/fr.js'),
  it: () => import('./messages/it.js'),
  ja: () => import('./messages/ja.js'),
  ko: () => import('./messages/ko.js'),
  nl: () => import('./messages/nl.js'),
  th: () => import('./messages/th.js'),
  zh: () => import('./messages/zh.js'),
};

/**
 * Loads the texts of the first language that the package has; English, if it has none of them.
 *
 * @param languages - BCP 47 tags, the preferred one first: `navigator.languages`.
 * @throws {@link TableError} `ScriptNotLoaded`.
 */
export async function messagesFor(languages: readonly string[]): Promise<Texts> {
  const known = languages
    .map((language) => language.toLowerCase().split('-')[0]!)
    .find((language) => Object.hasOwn(LANGUAGES, language));
  const { messages } = await loaded(LANGUAGES[known ?? 'en']!());
  return messages;
}

/** The texts that a form shows. */
export interface IssueTexts {
  readonly messageOf: MessageFunction;
  /** The heading of a summary. */
  readonly headingOf: (count: number) => string;
}
