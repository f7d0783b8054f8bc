/**
 * Which requests change nothing.
 *
 * @module
 */

// Operations whose names say that they ask for something, and the safe methods of HTTP.
const READS = /^((get|query|count|await)[A-Z]|(GET|HEAD|OPTIONS)$)/;

/**
 * Whether a request only reads; one of an unknown kind may write.
 *
 * @param name - the kind of an operation, or the method of an HTTP request.
 */
export const isRead = (name: string): boolean => READS.test(name);
