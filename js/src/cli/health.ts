/**
 * The health check of a server.
 *
 * @module
 */

/** Its path. No account has the name `-`, so there is no table at it. */
export const HEALTH_PATH = '/-/health';

/** Whether a request asks this. It needs no signature. */
export function asksForHealth(method: string | undefined, target = ''): boolean {
  return (method === 'GET' || method === 'HEAD') && target.split('?', 1)[0] === HEALTH_PATH;
}
