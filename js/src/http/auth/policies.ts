/**
 * Stored access policies, for signatures that name one.
 *
 * Source: auth of the spec, 5.9.
 *
 * @module
 */

import { isTableError } from '../../base/errors.js';
import type { Session } from '../../core/session.js';

/** What a policy says, by the names of the parameters in whose place it does. */
export interface Policy {
  readonly st?: string | undefined;
  readonly se?: string | undefined;
  readonly sp?: string | undefined;
}

/** Undefined: the table has none of this name. */
export type FindPolicy = (table: string, id: string) => Promise<Policy | undefined>;

/** Those of an account, the newest that anybody has stored: one that is gone must not count. */
export function policiesOf(session: Session): FindPolicy {
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

async function linesOf(session: Session, table: string): Promise<Record<string, string>[]> {
  try {
    const { body = '' } = await session.request({ kind: 'getPolicies', table, fresh: true });
    const lines = body.split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Record<string, string>);
  } catch (error) {
    // The answer must not tell which tables there are.
    if (isTableError(error) && error.statusCode < 500) return [];
    throw error;
  }
}
