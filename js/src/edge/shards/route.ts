/**
 * Where a request belongs. The core reads the request, so no rule of the service is here.
 *
 * @module
 */

import { isTableError, serverBusy } from '../../base/errors.js';
import { MODULE } from '../../client/shared.js';
import type { WasmSource } from '../../core/compile.js';
import { FrameWriter } from '../../core/frame-writer.js';
import { loadModule } from '../../core/load-module.js';
import { httpFrame, type HttpRequest } from '../../http/frames.js';

/** A request for one partition. */
export interface PartitionRoute {
  readonly table: string;
  readonly partition: string;
}

/** A query of entities of several partitions. */
export interface QueryRoute {
  readonly table: string;
  /** The most entities of its page. */
  readonly top: number;
  /** Its `$select` as sent. */
  readonly select?: string | undefined;
  /** In a batch: the address of the query, as sent. */
  readonly part?: string | undefined;
}

/** A request that creates, deletes or sets up a table; with an empty name, the account. */
export interface DefinitionRoute {
  readonly defines: string;
}

/** The last one reads the account or a table, or is refused. Names are in lower case. */
export type Route = PartitionRoute | QueryRoute | DefinitionRoute | Record<never, never>;

/** A request, as far as its route depends on it. */
export type RoutedRequest = Pick<HttpRequest, 'method' | 'target' | 'headers' | 'body'>;

/**
 * Returns the route of a request.
 *
 * @throws {@link TableError} `ServerBusy`, if there is no memory for the request.
 */
export type RouteReader = (request: RoutedRequest, accountPath: string) => Route;

// No answer shows it.
const REQUEST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Loads the module that reads routes.
 *
 * @throws {@link TableError} `ModuleAborted`, if the module cannot be loaded.
 */
export async function loadRouteReader(wasm: WasmSource): Promise<RouteReader> {
  const module = await loadModule({ kind: MODULE, source: () => 'entitable.wasm' }, wasm);
  return (request, accountPath) => {
    const frame = frameOf(request);
    if (!frame) return {};
    const json = module.route(accountPath, frame, false);
    if (json === '') throw serverBusy();
    return JSON.parse(json) as Route;
  };
}

// Undefined, if a text of it is not well formed or too long: every account refuses that.
function frameOf(request: RoutedRequest): Uint8Array | undefined {
  try {
    const frame = httpFrame({ ...request, requestId: REQUEST_ID });
    const bytes = new Uint8Array(frame.mostBytes);
    const writer = new FrameWriter(bytes, 0);
    frame.write(writer);
    return bytes.subarray(0, writer.at);
  } catch (error) {
    if (!isTableError(error)) throw error;
    return undefined;
  }
}
