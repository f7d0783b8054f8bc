/**
 * Lines about requests, without credentials that a reader of the log could use.
 *
 * @module
 */

/** A request that has ended. */
export interface RequestRecord {
  readonly method: string | undefined;
  /** Path and query, as the client sent them. */
  readonly target: string | undefined;
  /** The status and the time; or that it was aborted. */
  readonly outcome: string;
}

/** "2024-01-02T03:04:05.678Z GET /Tables 200 1.2 ms". */
export function requestLine({ method, target = '', outcome }: RequestRecord): string {
  return `${new Date(Date.now()).toISOString()} ${method} ${maskedTarget(target)} ${outcome}`;
}

// A reader of the log could use the signature.
function maskedTarget(target: string): string {
  const mark = target.indexOf('?');
  if (mark < 0) return target;
  const pairs = target.slice(mark + 1).split('&');
  return `${target.slice(0, mark + 1)}${pairs.map(masked).join('&')}`;
}

function masked(pair: string): string {
  const [name = ''] = pair.split('=', 1);
  return isSecret(name) ? `${name}=***` : pair;
}

// A name that cannot be decoded is masked, too, though it has no effect.
function isSecret(name: string): boolean {
  try {
    return decodeURIComponent(name.replaceAll('+', ' ')).trim().toLowerCase() === 'sig';
  } catch {
    return true;
  }
}
