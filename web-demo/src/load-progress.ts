/**
 * How far a load of entities is.
 *
 * @module
 */

export interface LoadProgress {
  readonly loaded: number;
  readonly milliseconds: number;
}

export interface LoadOptions {
  /** Stops the load. Written entities stay. */
  readonly signal: AbortSignal;
  onProgress(progress: LoadProgress): void;
}
