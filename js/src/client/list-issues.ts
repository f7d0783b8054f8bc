/**
 * Finds the entities of a table that break its definition. It is loaded on demand.
 *
 * @module
 */

import { Slices } from '../base/slices.js';
import type { CountTableEntitiesOptions } from '../entity/models.js';
import type { TableDefinition } from '../schema/table-definition.js';
import { storedIssues } from '../tables/row-form.js';
import type { LocalRequests } from './entity-requests.js';
import type { InvalidEntity } from './models.js';

/** See `TableServiceClient.listIssues()`; the options are checked. */
export async function* invalidEntities(
  requests: LocalRequests,
  table: TableDefinition,
  { filter, dialect, fresh, abortSignal }: CountTableEntitiesOptions,
): AsyncGenerator<InvalidEntity, void> {
  const query = { filter, dialect, fresh, abortSignal, typed: true };
  const slices = new Slices();
  for await (const page of requests.list(query).byPage()) {
    for (const entity of page) {
      await slices.turn();
      const issues = await storedIssues(table, entity, requests.validator);
      if (!issues.length) continue;
      const { partitionKey, rowKey, etag } = entity;
      yield { partitionKey, rowKey, etag, issues };
    }
  }
}
