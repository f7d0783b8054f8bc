/**
 * Stored access policies, for signatures that refer to one.
 *
 * Source: auth of the spec, 5.9.
 *
 * @module
 */

import { isTableError } from '../../base/errors.js';
import type { AccountSession } from '../../core/account-session.js';

/** A policy, by the names of the parameters that it replaces. */
export interface Policy {
  readonly st?: string | undefined;
  readonly se?: string | undefined;
  readonly sp?: string | undefined;
}

/** Finds a policy by its name; undefined, if the table has none of this name. */
export type FindPolicy = (table: string, id: string) => Promise<Policy | undefined>;

/** Finds the policies of an account. The read is fresh, because a deleted policy must not count. */
export function policiesOf(session: AccountSession): FindPolicy {
  return async (table, id) => {
    const lines = await linesOf(session, table);
    const policy = lines.find(({ Id }) => Id === id);
    return (
      policy && {
        st: policy['AccessPolicy.Start'],
        se: policy['AccessPolicy.Expiry'],
        sp: policy['AccessPolicy.Permission'],
      }
    );
  };
}

async function linesOf(session: AccountSession, table: string): Promise<Record<string, string>[]> {
  try {
    const { body = '' } = await session.request({ kind: 'getPolicies', table, fresh: true });
    const lines = body.split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Record<string, string>);
  } catch (error) {
    // The answer must not reveal which tables exist.
    if (isTableError(error) && error.statusCode < 500) return [];
    throw error;
  }
}
