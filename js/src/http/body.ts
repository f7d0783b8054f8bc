/**
 * Reads the body of a request into one buffer.
 *
 * @module
 */

/**
 * Reads at most `limit` bytes, and does not wait for the rest.
 *
 * @returns undefined, if there is no body.
 * @throws the error of the body: the client has gone, say.
 */
export async function readBody(request: Request, limit: number): Promise<Uint8Array | undefined> {
  // Not every browser has streams for the bodies of requests.
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
  // Nothing waits for this, and its errors do not matter.
  reader.cancel().catch(() => {});
  return joined(chunks, limit);
}

// The last chunk may be longer than the rest of the limit.
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
