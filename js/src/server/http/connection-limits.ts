/**
 * Limits the connections of clients, and ends idle ones when there are many.
 *
 * A connection without a request under way is idle, even after a part of a request has arrived.
 * When the server has many connections, each new one ends the one that has been idle the longest.
 * So one client cannot keep others out with idle connections.
 *
 * @module
 */

import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

import { isLoopback } from './hosts.js';

/** In connections, if the name has no unit. */
export interface ConnectionLimits {
  readonly all: number;
  /** From one address. Loopback addresses have no limit: all local programs share them. */
  readonly perAddress: number;
  /** From this number on, a new connection ends an idle one. */
  readonly highWaterMark: number;
  /** How long a connection may be idle while there are fewer. */
  readonly idleMs: number;
  /** How long a connection may be idle otherwise. */
  readonly shortIdleMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  all: 512,
  perAddress: 256,
  highWaterMark: 384,
  idleMs: 120_000,
  shortIdleMs: 2_000,
};

interface Connection {
  readonly address: string;
  /** How many requests are not answered yet, and the last request. */
  requests: number;
  lastRequest: IncomingMessage | undefined;
  idleSince: number;
  /** Called once, when every request is answered. */
  onIdle: (() => void) | undefined;
}

/** Keeps the connections of a server within limits. */
export class Connections {
  readonly #server: Server;
  readonly #limits: ConnectionLimits;
  readonly #all = new Map<Socket, Connection>();
  /** The one that has been idle the longest comes first. */
  readonly #idle = new Set<Socket>();
  readonly #perAddress = new Map<string, number>();

  /** @param connected - the event with the socket that requests come from. */
  constructor(
    server: Server,
    limits: ConnectionLimits,
    connected: 'connection' | 'secureConnection' = 'connection',
  ) {
    this.#server = server;
    this.#limits = limits;
    server.maxConnections = limits.all;
    server.keepAliveTimeout = limits.idleMs;
    server.on(connected, (socket: Socket) => this.#take(socket));
    server.on('request', (message, response) => {
      const { socket } = message;
      this.#begin(socket, message);
      response.on('close', () => this.#finish(socket));
    });
  }

  /**
   * Calls back when the requests of the connection are answered. It calls back at once if there are
   * none, or if the last one has not arrived whole: then it is never answered.
   */
  whenAnswered(socket: Socket, callback: () => void): void {
    const connection = this.#all.get(socket);
    const isWaiting = connection && connection.requests > 0 && connection.lastRequest?.complete;
    if (isWaiting) connection.onIdle = callback;
    else callback();
  }

  #take(socket: Socket): void {
    const { remoteAddress: address = '' } = socket;
    if (!this.#makeRoom(address)) {
      socket.destroy();
      return;
    }
    this.#all.set(socket, {
      address,
      requests: 0,
      lastRequest: undefined,
      idleSince: performance.now(),
      onIdle: undefined,
    });
    this.#idle.add(socket);
    this.#count(address, 1);
    socket.on('close', () => this.#forget(socket));
    this.#adjust();
  }

  #begin(socket: Socket, message: IncomingMessage): void {
    const connection = this.#all.get(socket);
    if (!connection) return;
    connection.requests++;
    connection.lastRequest = message;
    this.#idle.delete(socket);
  }

  #finish(socket: Socket): void {
    const connection = this.#all.get(socket);
    if (!connection || --connection.requests > 0) return;
    connection.idleSince = performance.now();
    this.#idle.add(socket);
    connection.onIdle?.();
    connection.onIdle = undefined;
  }

  // False, if the address has reached its limit, and no connection of it is idle.
  #makeRoom(address: string): boolean {
    const { perAddress, highWaterMark, shortIdleMs } = this.#limits;
    if (!isLoopback(address) && (this.#perAddress.get(address) ?? 0) >= perAddress) {
      if (!this.#endFirst((connection) => connection.address === address)) return false;
    }
    if (this.#all.size < highWaterMark) return true;
    this.#endFirst(() => true);
    const tooLong = performance.now() - shortIdleMs;
    while (this.#endFirst(({ idleSince }) => idleSince < tooLong));
    return true;
  }

  /** Ends the connection that has been idle the longest and fits; false, if none fits. */
  #endFirst(fits: (connection: Connection) => boolean): boolean {
    for (const socket of this.#idle) {
      if (!fits(this.#all.get(socket)!)) continue;
      this.#forget(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  #forget(socket: Socket): void {
    const connection = this.#all.get(socket);
    if (!connection) return;
    this.#all.delete(socket);
    this.#idle.delete(socket);
    this.#count(connection.address, -1);
    this.#adjust();
  }

  #count(address: string, by: number): void {
    const count = (this.#perAddress.get(address) ?? 0) + by;
    if (count > 0) this.#perAddress.set(address, count);
    else this.#perAddress.delete(address);
  }

  // Node applies the timeout when a request on the connection has been answered.
  #adjust(): void {
    const { highWaterMark, idleMs, shortIdleMs } = this.#limits;
    this.#server.keepAliveTimeout = this.#all.size < highWaterMark ? idleMs : shortIdleMs;
  }
}
