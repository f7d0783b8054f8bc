/**
 * The requests of one table of a remote account.
 *
 * @module
 */

import { errorOfIssues } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import type { AbortSignalLike } from '../base/platform.js';
import { apiName, SYSTEM_NAMES, wireName } from '../base/system-names.js';
import { ChangingRequests } from '../client/changing-requests.js';
import type { Found } from '../client/entity-requests.js';
import type { Operation } from '../core/frames.js';
import type { GivenKeys } from '../entity/keys.js';
import type { GetTableEntityOptions, UpdateMode } from '../entity/models.js';
import { selectsEtagAlone } from '../entity/operations.js';
import type { Validator } from '../validation/validator.js';
import type { RemoteSession } from './session.js';
import { entitiesOf } from './values.js';

type Signal = AbortSignalLike | undefined;

/** The requests of one table. The caller has checked all options. */
export class RemoteRequests extends ChangingRequests<RemoteSession, Validator | undefined> {
  readonly takesWholes = false;

  override async insert(entity: object, abortSignal: Signal) {
    this.check(entity, false);
    return await super.insert(entity, abortSignal);
  }

  override async update(
    entity: GivenKeys,
    mode: UpdateMode,
    etag: string | undefined,
    abortSignal: Signal,
  ) {
    this.check(entity, mode === 'Merge');
    return await super.update(entity, mode, etag, abortSignal);
  }

  override async readStored<T extends object>(
    operation: Operation,
    abortSignal: Signal,
    options: GetTableEntityOptions = {},
  ): Promise<Found<T>> {
    const { typed, disableTypeConversion } = options;
    const select = [...(options.select ?? [])];
    let entities: Record<string, unknown>[] = [];
    const isOne = operation.kind === 'getEntity';
    const answer = await this.session.read(operation, abortSignal, (text) => {
      entities = entitiesOf(text, isOne, { typed, disableTypeConversion });
    });
    for (const entity of entities) {
      // The emulator leaves out what is missing; the service says that it is null.
      for (const name of select) fillMissing(entity, wireName(name));
    }
    if (selectsEtagAlone(select)) entities = entities.map(({ etag }) => ({ etag }));
    return { entities, answer } as unknown as Found<T>;
  }

  // The service has the others.
  override check(entity: object, isPart: boolean): void {
    if (!this.rows || !this.validator || !isObject(entity)) return;
    const issues = this.validator
      .issuesOf(entity, this.rows.schema)
      .filter(({ rule }) => rule.startsWith('schema-') && !(isPart && rule === 'schema-required'));
    if (issues.length) throw this.explained(errorOfIssues(issues), { entity });
  }
}

const NEVER_NULL = [...Object.values(SYSTEM_NAMES), '*'];

function fillMissing(entity: Record<string, unknown>, wire: string): void {
  const name = apiName(wire);
  if (!NEVER_NULL.includes(wire) && !Object.hasOwn(entity, name)) entity[name] = null;
}
