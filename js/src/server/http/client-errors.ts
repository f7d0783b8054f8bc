/**
 * Answers bytes that are no request.
 *
 * @module
 */

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

import type { Connections } from './connection-limits.js';

const STATUS_LINES: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/**
 * Answers bytes that are no request, after the requests before them. Node alone would answer at
 * once and end the connection: the client would not learn that its earlier requests were carried
 * out.
 */
export function answerClientErrors(server: Server, connections: Connections): void {
  server.on('clientError', (error: NodeJS.ErrnoException, duplex) => {
    const socket = duplex as Socket;
    // The bytes after them have no meaning.
    socket.pause();
    connections.whenAnswered(socket, () => end(socket, error));
  });
}

// After such an error, no answer can be sent: the client has gone, or does not speak TLS.
const WITHOUT_ANSWER = /^(ECONNRESET|EPIPE|EPROTO|ERR_(SSL|TLS)_.*)$/;

function end(socket: Socket, { code = '' }: NodeJS.ErrnoException): void {
  if (!socket.writable || WITHOUT_ANSWER.test(code)) {
    socket.destroy();
    return;
  }
  const status = STATUS_LINES[code] ?? '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`, () => socket.destroy());
}
