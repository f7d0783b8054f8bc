/**
 * Finds requests that change nothing.
 *
 * @module
 */

// The operations that only ask, by their names, and the safe methods of HTTP.
const READS = /^((get|query|count|await)[A-Z]|(GET|HEAD|OPTIONS)$)/;

/**
 * Whether a request only reads. A request of an unknown kind may write.
 *
 * @param name - the kind of an operation, or the method of an HTTP request.
 */
export const isRead = (name: string): boolean => READS.test(name);
