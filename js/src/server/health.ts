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

/** What a server, or an account of it, can do. */
export type Health = 'healthy' | 'writes fail' | 'unhealthy';

/** From the best to the worst. */
const ORDER: readonly Health[] = ['healthy', 'writes fail', 'unhealthy'];

/** The worst of them. */
export function worstOf(all: readonly Health[]): Health {
  return ORDER.findLast((one) => all.includes(one)) ?? 'healthy';
}
