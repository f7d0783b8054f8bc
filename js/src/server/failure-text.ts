/**
 * The text that the command prints for an error.
 *
 * @module
 */

/** The message, and in parentheses the message of the cause, if it says more. */
export function failureText(error: unknown): string {
  const { message = String(error), cause } = (error ?? {}) as Partial<Error>;
  const { message: detail } = (cause ?? {}) as Partial<Error>;
  return detail && !message.includes(detail) ? `${message} (${detail})` : message;
}
