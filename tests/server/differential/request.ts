// request.ts - a request to both servers.

/** A request to an account. It names etags, because each server has its own. */
export interface WireRequest {
  readonly method: string;
  /** The path below the account, with the query: "/Pets(...)". Percent-encoded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Names of what the request does: 'insert', 'bad-key', … Differences select by them. */
  readonly tags: readonly string[];
  /** The entities whose etags the answer has, in the order of the parts of a batch. */
  readonly keys: readonly Key[];
}

export interface Key {
  readonly partition: string;
  readonly row: string;
}

export type Tag = 'current' | 'stale';

/** In a header or a body: the etag of the server that gets the request. */
export const etagOf = (tag: Tag, { partition, row }: Key) =>
  `\u0001${tag}\u0002${partition}\u0002${row}\u0001`;

/** The same text with the etags of one server. */
export function withEtags(text: string, find: (tag: Tag, key: string) => string): string {
  return text.replace(/\u0001(\w+)\u0002([^\u0001]*)\u0001/g, (_, tag: Tag, key: string) =>
    find(tag, key),
  );
}

export const nameOf = ({ partition, row }: Key) => `${partition}\u0002${row}`;
