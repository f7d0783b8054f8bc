// request.ts - one request that goes to both servers, before either has answered anything.

/** A request to an account; etags in it are named, because each server has its own. */
export interface WireRequest {
  readonly method: string;
  /** Behind the account: "/Pets(...)", percent-encoded, with the query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** What it does, by which differences know it: 'insert', 'bad-key', … */
  readonly tags: readonly string[];
  /** The entities whose etags come back, in the order of the answers in a batch. */
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
