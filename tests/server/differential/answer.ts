// answer.ts - the parts of an answer that are compared.

/** A property's value with its type, or `name: 'raw'` without metadata. */
export type SeenEntity = Record<string, string>;

export interface Seen {
  readonly status: number;
  readonly code?: string | undefined;
  readonly entities?: SeenEntity[] | undefined;
  /** Whether the headers have a continuation. */
  readonly more: boolean;
  readonly hasEtag: boolean;
  readonly applied?: string | undefined;
  /** The answers to the parts of a batch. */
  readonly parts?: Seen[] | undefined;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

const SYSTEM = /^(Timestamp|odata\.)/;

/** The answer without times, etags, addresses and request ids, which must differ. */
export function seenOf(answer: RawAnswer): Seen {
  const { status, headers, body } = answer;
  const type = `${headers['content-type'] ?? ''}`;
  const json = type.includes('json') || body.startsWith('{') ? parsed(body) : undefined;
  return {
    status,
    code: codeOf(json, body),
    entities: entitiesOf(json),
    more: Object.keys(headers).some((name) => name.startsWith('x-ms-continuation')),
    hasEtag: headers['etag'] !== undefined,
    applied: headers['preference-applied'] as string | undefined,
    parts: type.startsWith('multipart/') ? partsOf(body).map(seenOf) : undefined,
  };
}

/** Parses the body of the answer to a batch. */
export function partsOf(body: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  const pattern =
    /HTTP\/1\.1 (\d+)[^\r\n]*\r\n([^]*?)\r\n\r\n([^]*?)(?=\r\n--|--changesetresponse|$)/g;
  for (const [, status, head = '', text = ''] of body.matchAll(pattern)) {
    const lines = head.split('\r\n').map((line) => line.split(/:(.*)/s, 2));
    const headers = Object.fromEntries(
      lines.map(([name = '', value = '']) => [name.toLowerCase(), value.trim()]),
    );
    answers.push({ status: Number(status), headers, body: text.trim() });
  }
  return answers;
}

type Json = Record<string, unknown>;

function parsed(body: string): Json | undefined {
  try {
    return JSON.parse(body) as Json;
  } catch {
    return undefined;
  }
}

function codeOf(json: Json | undefined, body: string): string | undefined {
  const error = json?.['odata.error'] as { code: string } | undefined;
  return error?.code ?? /<(?:m:)?code>([^<]*)</i.exec(body)?.[1];
}

function entitiesOf(json: Json | undefined): SeenEntity[] | undefined {
  if (!json || 'odata.error' in json) return undefined;
  const all = 'value' in json && Array.isArray(json['value']) ? (json['value'] as Json[]) : [json];
  return all.map(entityOf);
}

function entityOf(entity: Json): SeenEntity {
  const names = Object.keys(entity).filter((name) => !name.includes('@') && !SYSTEM.test(name));
  return Object.fromEntries(
    names.sort().map((name) => {
      const type = entity[`${name}@odata.type`];
      return [name, (type ? `${String(type)} ` : '') + JSON.stringify(entity[name])];
    }),
  );
}
