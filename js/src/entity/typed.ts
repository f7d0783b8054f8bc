/**
 * Entities for reads with `typed: true`. It is loaded on demand.
 *
 * @module
 */

import { base64ToBytes } from '../base/base64.js';
import type { Edm, EdmTypes, TypedValue } from './edm.js';

/**
 * Gives every `{ type, value }` of an entity the value that it has in JavaScript, in place of its
 * text.
 */
export function withJavaScriptValues(entity: Record<string, unknown>): Record<string, unknown> {
  for (const property of Object.values(entity)) {
    // The properties of the system are texts, and a selected property may be missing.
    if (typeof property !== 'object' || property === null) continue;
    const typed = property as TypedValue;
    typed.value = valueOf(property as Edm<EdmTypes>);
  }
  return entity;
}

function valueOf({ type, value }: Edm<EdmTypes>): TypedValue['value'] {
  const text = value as string;
  switch (type) {
    case 'Binary':
      return base64ToBytes(text);
    case 'Boolean':
      return text === 'true';
    case 'DateTime':
      return isFinerThanDate(text) ? text : new Date(text);
    case 'Double':
    case 'Int32':
      return Number(text);
    case 'Int64':
      return BigInt(text);
    case 'Guid':
    case 'String':
      return text;
  }
}

// A Date has milliseconds.
const isFinerThanDate = (text: string) => /\.\d{3}0*[1-9]/.test(text);
