/**
 * The rules of a handler for pages of other origins.
 *
 * @module
 */

import { shown } from '../base/shown.js';
import type { CorsRule } from '../client/models.js';
import { corsLines } from '../client/settings.js';

/** Every origin, every method, every header. */
const EVERYTHING: CorsRule = {
  allowedOrigins: '*',
  allowedMethods: 'GET,HEAD,POST,PUT,MERGE,PATCH,DELETE,OPTIONS',
  allowedHeaders: '*',
  exposedHeaders: '*',
  maxAgeInSeconds: 3600,
};

/** The rules as records of the core; undefined, if the account has the rules. */
export function corsRulesOf(cors: boolean | readonly CorsRule[] | undefined): string | undefined {
  if (cors === undefined) return undefined;
  if (typeof cors !== 'boolean' && !Array.isArray(cors)) {
    throw new TypeError(`cors must be true, false or an array of rules, not ${shown(cors)}`);
  }
  return corsLines(cors === true ? [EVERYTHING] : cors || []);
}
