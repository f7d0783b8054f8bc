/**
 * The lines of an archive around those of its entities. The grammar is in
 * `docs/internals/file-format.md`.
 *
 * @module
 */

/** The first line. */
export const ARCHIVE_HEAD = '{"entitable":"archive","version":1}\n';

/** The line before the entities of a table. */
export const tableLine = (name: string): string => `${JSON.stringify({ TableName: name })}\n`;

/** The last line. */
export const endLine = (tables: number, entities: number): string =>
  `${JSON.stringify({ tables, entities })}\n`;
