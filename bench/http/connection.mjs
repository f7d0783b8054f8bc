// connection.mjs - HTTP/1.1 over one connection, one request at a time.

import { connect } from 'node:net';

export class Connection {
  #place;
  #socket;
  #received = Buffer.alloc(0);
  #resolve;
  #fail;

  constructor(host, port) {
    this.#place = { host, port: Number(port), noDelay: true };
  }

  /** @returns the status and the body of the answer. */
  send(text) {
    this.#socket ??= this.#connect();
    this.#socket.write(text);
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#fail = reject;
    });
  }

  #connect() {
    const socket = connect(this.#place);
    socket.on('data', (piece) => this.#take(piece));
    socket.on('error', (error) => this.#fail?.(error));
    // Servers close connections that are idle for some seconds.
    socket.on('close', () => {
      this.#socket = undefined;
      this.#fail?.(new Error('the server has closed the connection'));
    });
    return socket;
  }

  #take(piece) {
    this.#received = this.#received.length === 0 ? piece : Buffer.concat([this.#received, piece]);
    const answer = readAnswer(this.#received);
    if (!answer) return;
    this.#received = Buffer.alloc(0);
    this.#fail = undefined;
    this.#resolve(answer);
  }

  close() {
    this.#fail = undefined;
    this.#socket?.destroy();
  }
}

// Undefined if the answer is not complete yet.
function readAnswer(bytes) {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.latin1Slice(0, end);
  const status = Number(head.slice(9, 12));
  const start = end + 4;
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const last = start + Number(length);
    return bytes.length < last ? undefined : { status, text: bytes.utf8Slice(start, last) };
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return { status, text: '' };
  const text = readChunks(bytes, start);
  return text === undefined ? undefined : { status, text };
}

function readChunks(bytes, start) {
  const pieces = [];
  for (let at = start; ;) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return undefined;
    const length = Number.parseInt(bytes.latin1Slice(at, line), 16);
    at = line + 2 + length + 2;
    if (bytes.length < at) return undefined;
    if (length === 0) return Buffer.concat(pieces).toString();
    pieces.push(bytes.subarray(line + 2, at - 2));
  }
}
