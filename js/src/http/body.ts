/**
 * The body of a request, as one run of bytes.
 *
 * @module
 */

/**
 * Reads at most `limit` bytes; the rest is not waited for.
 *
 * @returns undefined, if there is no body.
 * @throws what the body rejects with, when the client has gone, say.
 */
export async function readBody(request: Request, limit: number): Promise<Uint8Array | undefined> {
  // Not every browser has bodies of requests as streams.
  if (request.body === undefined) {
    return new Uint8Array(await request.arrayBuffer()).subarray(0, limit);
  }
  if (request.body === null) return undefined;
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  for (let length = 0; length < limit;) {
    const { done, value } = await reader.read();
    if (done) return joined(chunks, length);
    chunks.push(value);
    length += value.length;
  }
  // Nobody waits for this, nor for what it may fail with.
  reader.cancel().catch(() => {});
  return joined(chunks, limit);
}

// The last chunk may reach beyond the length.
function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (first && first.length >= length) return first.subarray(0, length);
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk.subarray(0, length - at), at);
    at += chunk.length;
  }
  return all;
}
