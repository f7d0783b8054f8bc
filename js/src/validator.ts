/**
 * Every broken rule at once, for forms and imports.
 *
 * @module
 */

import type { CoreModule } from './core/module.js';
import { apiName, entityToJson, wireName } from './entity.js';
import { TableError, type ErrorCode } from './errors.js';

/**
 * The name of a rule: ours, and stable, so that texts of one's own can be looked up
 * by it. In brackets: which of `limit`, `actual`, `position` and `character` a violation
 * carries. The same list as `core/include/entitable/violation.h`; a test compares the two.
 */
export type RuleCode =
  /** The value, or the whole, is not to be read: a lone surrogate, for one. */
  | 'json'
  /** The entity is more than 4 MiB as JSON. [limit, actual: bytes] */
  | 'body-size'
  /** The value has none of the types of the service, or not the one that is named. */
  | 'value-type'
  /** The type that is named is none of the eight. */
  | 'type-name'
  /** Two members stand for one property. */
  | 'property-duplicate'
  /** 1 to 255. [limit, actual: UTF-16 units] */
  | 'property-name-length'
  /** A C# identifier that is an XML name. [position, character] */
  | 'property-name-character'
  /** `etag` and `timestamp` stand for system properties here. */
  | 'property-name-reserved'
  /** At most 252 custom properties. [limit, actual] */
  | 'property-count'
  | 'key-missing'
  /** A key is a string. */
  | 'key-type'
  /** Not `/ \\ # ?`, nor control characters. [position, character] */
  | 'key-character'
  /** 1,024, or 512 where the service rules. [limit, actual: UTF-16 units] */
  | 'key-length'
  | 'int32-format'
  | 'int32-range'
  | 'int64-format'
  | 'int64-range'
  | 'double-format'
  | 'double-range'
  | 'boolean-format'
  | 'date-time-format'
  /** From the year 1601 on. */
  | 'date-time-range'
  | 'guid-format'
  | 'base64'
  /** At most 32,768. [limit, actual: UTF-16 units] */
  | 'string-length'
  /** At most 65,536. [limit, actual: bytes] */
  | 'binary-length'
  /** At most 1 MiB, by the service's formula. [limit, actual: bytes] */
  | 'entity-size'
  /** ASCII letters and digits, a letter first. [position, character] */
  | 'table-name-character'
  /** 3 to 63. [limit, actual: UTF-16 units] */
  | 'table-name-length'
  /** `tables`, in any case. */
  | 'table-name-reserved'
  /** A lone surrogate in a name or key. */
  | 'text-encoding';

/** One broken rule. */
export interface Violation {
  readonly rule: RuleCode;

  /** The name of the property, if the rule is about one of an entity's. */
  readonly path?: string;

  /** What a request that breaks this rule first is refused with: code and message. */
  readonly code: ErrorCode;
  readonly message: string;

  /** The nearest length, count or size that is allowed, and the one at hand. */
  readonly limit?: number;
  readonly actual?: number;

  /** The first character that is not allowed, and its index in the text. */
  readonly position?: number;
  readonly character?: string;
}

/**
 * Which of two documented limits of a key holds: 1,024 UTF-16 units, or, with
 * `'service'`, the 1 KiB (512 units) of older documentation, which every service takes.
 */
export type Profile = 'default' | 'service';

/** How keys are judged; an option of accounts and of validators. */
export interface ProfileOptions {
  /** By default `'default'`. */
  readonly profile?: Profile | undefined;

  /**
   * Is told of each key that is taken, though the service may refuse it: one of 513 to
   * 1,024 units, under the default profile. What it throws is left to the host.
   */
  readonly onWarning?: ((warning: Violation) => void) | undefined;
}

/**
 * Tells every broken rule, where a request is refused with the first one. Nothing is
 * stored, and nothing awaited. The rules are those by which requests are judged: an empty
 * list means that the request will not be refused for its form, and the code of the first
 * violation is the one under which it would be. The list ends after 4,096 violations.
 *
 * Every method throws `ModuleAborted` if the WebAssembly module has aborted, and nothing else.
 */
export class Validator {
  readonly #module: CoreModule;
  readonly #isService: boolean;
  readonly #onWarning: ProfileOptions['onWarning'];

  /** @internal */
  constructor(module: CoreModule, { profile, onWarning }: ProfileOptions) {
    this.#module = module;
    this.#isService = profile === 'service';
    this.#onWarning = onWarning;
  }

  /**
   * Checks an entity as `createEntity()` does: its keys, names, values and sizes.
   *
   * @throws {@link TableError} `ModuleAborted`
   */
  validateEntity(entity: object): Violation[] {
    const violations: Violation[] = [];
    const members: string[] = [];
    for (const [name, value] of Object.entries(entity) as [string, unknown][]) {
      try {
        members.push(entityToJson({ [name]: value }).slice(1, -1));
      } catch (error) {
        if (!(error instanceof TableError)) throw error;
        const { code, message } = error;
        if (code === 'PropertyNameInvalid') {
          violations.push({ rule: 'property-name-reserved', path: name, code, message });
        } else {
          // A value without a type: to the core, an object is one, too.
          members.push(`${JSON.stringify(wireName(name))}:{}`);
        }
      }
    }
    return [...violations, ...this.#validate('entity', `{${members.filter(Boolean).join()}}`)];
  }

  /**
   * Checks the name of a new table.
   *
   * @throws {@link TableError} `ModuleAborted`
   */
  validateTableName(name: string): Violation[] {
    return this.#validate('table-name', name);
  }

  /**
   * Checks the name of a property on the wire. The names of system properties pass, for
   * they are names of other members.
   *
   * @throws {@link TableError} `ModuleAborted`
   */
  validatePropertyName(name: string): Violation[] {
    return this.#validate('property-name', name);
  }

  /**
   * Checks a partition key or a row key.
   *
   * @throws {@link TableError} `ModuleAborted`
   */
  validateKey(value: string): Violation[] {
    return this.#validate('key', value);
  }

  #validate(what: Parameters<CoreModule['validate']>[0], text: string): Violation[] {
    let json: string;
    try {
      json = this.#module.validate(what, encode(text), this.#isService);
    } catch (cause) {
      throw new TableError('ModuleAborted', 'The WebAssembly module has aborted.', { cause });
    }
    const { violations, warnings } = JSON.parse(json) as Record<string, Violation[]>;
    for (const warning of withApiNames(warnings!)) this.#onWarning?.(warning);
    return withApiNames(violations!);
  }
}

/** Violations as the core tells them, with the paths that are used here. */
export function withApiNames(violations: readonly Violation[]): Violation[] {
  return violations.map((violation) =>
    violation.path === undefined ? violation : { ...violation, path: apiName(violation.path) },
  );
}

// TextEncoder would turn a lone surrogate into U+FFFD in silence; the core judges bytes
// that no text has.
function encode(text: string): Uint8Array {
  return /\p{Surrogate}/u.test(text) ? Uint8Array.of(0xff) : new TextEncoder().encode(text);
}
