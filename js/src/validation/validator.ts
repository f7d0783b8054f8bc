/**
 * Checks entities, names and keys without an account, for forms and before imports. It finds every
 * broken rule.
 *
 * @module
 */

import { bodyTooLarge, isTableError, serverBusy, TableError } from '../base/errors.js';
import type { CoreIssue } from '../base/issue.js';
import { isBytes, isObject } from '../base/kinds.js';
import { MAX_BODY_BYTES } from '../base/limits.js';
import type { KindsOf } from '../base/options.js';
import { wireName } from '../base/system-names.js';
import type { WasmSource } from '../core/compile.js';
import type { CoreModule } from '../core/module.js';
import { issueOf, type Finding } from '../core/outcome.js';
import { entityToJson } from '../entity/json.js';
import { explanationOf, type Checked } from './explanation.js';

/**
 * Which of two documented limits of a key holds: 1,024 UTF-16 units, or, with `'service'`, the 1
 * KiB (512 units) of older documentation, which every service takes.
 */
export type Profile = 'default' | 'service';

/** How keys are checked; an option of accounts and of validators. */
export interface ProfileOptions {
  /** By default `'default'`. */
  readonly profile?: Profile | undefined;

  /**
   * Called with each key that is accepted, though the service may refuse it: a key of 513 to 1,024
   * units under the default profile. Errors of the callback go to the host.
   */
  readonly onWarning?: ((warning: CoreIssue) => void) | undefined;
}

/** Options of `loadValidator()`. */
export interface ValidatorOptions extends ProfileOptions {
  /** Where `entitable.wasm` is; by default beside the script, where bundlers put it. */
  readonly wasm?: WasmSource | undefined;
}

/** The kinds of {@link ProfileOptions}. */
export const PROFILE_OPTIONS = {
  profile: ['default', 'service'],
  onWarning: 'function',
} as const satisfies KindsOf<ProfileOptions>;

/**
 * Finds every broken rule; a request is refused with the first one. It stores nothing, and every
 * check is a plain call. The rules are those of requests. An empty list means that a request is not
 * refused for its form. Otherwise it is refused with the code of the first issue. The list ends
 * after 4,096 issues.
 *
 * Every method throws `ServerBusy` if the module has no memory for the value, `ModuleAborted` if it
 * has aborted, and no other error.
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
   * @throws {@link TableError} `ServerBusy`, `ModuleAborted`
   */
  validateEntity(entity: object): CoreIssue[] {
    return this.#validateEntity(entity, true);
  }

  /**
   * The same without warnings: a refused request has reported them already, and forms report none.
   *
   * @param schema - the rules of a declared table, as bytes.
   * @throws {@link TableError} `ServerBusy`, `ModuleAborted`
   * @internal
   */
  issuesOf(entity: object, schema?: Uint8Array): CoreIssue[] {
    return this.#validateEntity(entity, false, schema);
  }

  /**
   * The same of an entity as JSON of the service.
   *
   * @throws {@link TableError} `ServerBusy`, `ModuleAborted`
   * @internal
   */
  issuesOfJson(json: string): CoreIssue[] {
    return this.#validate('entity', json, undefined, false);
  }

  #validateEntity(entity: object, warns: boolean, schema?: Uint8Array): CoreIssue[] {
    // The core does not take it for an entity, either.
    if (!isObject(entity)) return this.#validate('entity', 'null', entity, warns);
    const json = jsonOf(entity);
    return json === undefined
      ? this.#validateMembers(entity, warns, schema)
      : this.#validate('entity', json, entity, warns, schema);
  }

  // Member by member, because one of them has no JSON, or all together have too much.
  #validateMembers(entity: object, warns: boolean, schema?: Uint8Array): CoreIssue[] {
    const issues: CoreIssue[] = [];
    const members: string[] = [];
    let length = 1;
    for (const [name, value] of Object.entries(entity) as [string, unknown][]) {
      try {
        const member = entityToJson({ [name]: value }).slice(1, -1);
        if (!member) continue;
        length += member.length + 1;
        // Beyond the limit, only the length counts.
        if (length <= MAX_BODY_BYTES) members.push(member);
      } catch (error) {
        if (!isTableError(error)) throw error;
        const { code } = error;
        if (code === 'PropertyNameInvalid') {
          issues.push(reserved(name, error));
        } else if (code === 'RequestBodyTooLarge') {
          length += lengthOf(value);
        } else {
          // A value without a type. The core takes an object for one, too.
          members.push(`${JSON.stringify(wireName(name))}:{}`);
        }
      }
    }
    if (length > MAX_BODY_BYTES) return [...issues, tooLong(length)];
    const json = `{${members.join()}}`;
    return [...issues, ...this.#validate('entity', json, entity, warns, schema)];
  }

  /**
   * Checks the name of a new table.
   *
   * @throws {@link TableError} `ServerBusy`, `ModuleAborted`
   */
  validateTableName(name: string): CoreIssue[] {
    return this.#validate('table-name', name, name);
  }

  /**
   * Checks the name of a property on the wire. The names of system properties pass, because other
   * members have them.
   *
   * @throws {@link TableError} `ServerBusy`, `ModuleAborted`
   */
  validatePropertyName(name: string): CoreIssue[] {
    return this.#validate('property-name', name, name);
  }

  /**
   * Checks a partition key or a row key.
   *
   * @throws {@link TableError} `ServerBusy`, `ModuleAborted`
   */
  validateKey(value: string): CoreIssue[] {
    if (typeof value === 'string') return this.#validate('key', value, value);
    // The type of a key is a rule of entities.
    const ofEntity = this.validateEntity({ partitionKey: value, rowKey: '' });
    return ofEntity.flatMap(({ path, ...issue }) =>
      path?.[0] === 'partitionKey' ? { ...issue, message: explanationOf(issue, 'key', value) } : [],
    );
  }

  #validate(
    what: Checked,
    text: string,
    value: unknown,
    warns = true,
    schema?: Uint8Array,
  ): CoreIssue[] {
    // A text beyond the limit is not copied whole; it is too long in either case. Callers of
    // JavaScript may pass any value.
    const start = typeof text === 'string' ? text.slice(0, MAX_BODY_BYTES + 1) : text;
    let json: string;
    try {
      json = this.#module.validate(what, encode(start), this.#isService, schema ?? '');
    } catch (cause) {
      // `bindings/small_embind.js` throws it if there is no memory for the text.
      if ((cause as Error).name === 'RangeError') throw serverBusy();
      throw new TableError('ModuleAborted', 'The WebAssembly module has aborted.', { cause });
    }
    if (!json) throw serverBusy();
    const { violations, warnings } = JSON.parse(json) as Record<string, Finding[]>;
    if (warns) for (const one of issuesFrom(warnings!, what, value)) this.#onWarning?.(one);
    return issuesFrom(violations!, what, value);
  }
}

// Undefined, if no request can hold the entity.
function jsonOf(entity: object): string | undefined {
  try {
    return entityToJson(entity);
  } catch (error) {
    if (isTableError(error)) return undefined;
    throw error;
  }
}

/**
 * The issues of findings of the core.
 *
 * @param value - what was checked; undefined, if it is not known any more.
 */
export function issuesFrom(
  findings: readonly Finding[],
  checked: Checked,
  value?: unknown,
): CoreIssue[] {
  return findings.map((finding) => {
    const issue = issueOf(finding);
    if (issue.rule.startsWith('schema-')) return issue;
    return { ...issue, refusal: issue.message, message: explanationOf(issue, checked, value) };
  });
}

// Its message is the text of the service, and then the sentence.
function reserved(name: string, { code, message, details }: TableError): CoreIssue {
  const { value } = details.odataError.message;
  const sentence = message.slice(value.length).trim();
  return { rule: 'property-name-reserved', path: [name], code, refusal: value, message: sentence };
}

// The length of a value that no request can hold.
function lengthOf(value: unknown): number {
  if (typeof value === 'string' || isBytes(value)) return value.length;
  return lengthOf((value as { value: unknown }).value);
}

function tooLong(actual: number): CoreIssue {
  const { code, message } = bodyTooLarge();
  const finding = { rule: 'body-size', code, message, limit: MAX_BODY_BYTES, actual } as const;
  return issuesFrom([finding], 'entity')[0]!;
}

// TextEncoder would silently turn a lone surrogate into U+FFFD, and any value into a text. The core
// refuses this byte, which no text has.
function encode(text: unknown): Uint8Array {
  return typeof text !== 'string' || /\p{Surrogate}/u.test(text)
    ? Uint8Array.of(0xff)
    : new TextEncoder().encode(text);
}
