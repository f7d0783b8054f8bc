/**
 * The requests of one table of any account that change many entities.
 *
 * @module
 */

import { loaded } from '../base/loaded.js';
import type { Requester } from '../core/account-session.js';
import type {
  DeleteEntitiesOptions,
  DeleteEntitiesProgress,
  UpdateEntitiesOptions,
  UpdateEntitiesProgress,
} from '../entity/bulk-changes.js';
import type { Validator } from '../validation/validator.js';
import type { PropertiesToSet } from './bulk-changes.js';
import { EntityRequests } from './entity-requests.js';

/** The requests of one table. The caller has checked all options. */
export abstract class ChangingRequests<
  Session extends Requester,
  Checks extends Validator | undefined,
> extends EntityRequests<Session, Checks> {
  /** Deletes the entities that fit a filter. */
  async deleteAll(options: DeleteEntitiesOptions): Promise<DeleteEntitiesProgress> {
    const { deleteEntities } = await loaded(import('./bulk-changes.js'), { stored: 0 });
    // eslint-disable-next-line entitable/arguments-before-await -- the client has copied them
    return await deleteEntities(this, options);
  }

  /** Merges properties into the entities that fit a filter. */
  async updateAll(
    set: PropertiesToSet,
    options: Omit<UpdateEntitiesOptions<PropertiesToSet>, 'set'>,
  ): Promise<UpdateEntitiesProgress> {
    const { updateEntities } = await loaded(import('./bulk-changes.js'), { stored: 0 });
    // eslint-disable-next-line entitable/arguments-before-await -- the client has copied them
    return await updateEntities(this, set, options);
  }
}
