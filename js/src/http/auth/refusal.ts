/**
 * Why a request is not let in.
 *
 * Source: auth of the spec, 5.8.
 *
 * @module
 */

/** As the service says it. */
export interface Refusal {
  readonly status: 400 | 403;
  readonly code: string;
  readonly message: string;
  /** XML for who could not be told from anybody, JSON for who may not do what was asked. */
  readonly form: 'xml' | 'json';
}

export const FAILED: Refusal = {
  status: 403,
  code: 'AuthenticationFailed',
  message:
    'Server failed to authenticate the request. Make sure the value of Authorization header is formed correctly including the signature.',
  form: 'xml',
};

export const MALFORMED: Refusal = {
  status: 400,
  code: 'InvalidAuthenticationInfo',
  message:
    'Authentication information is not given in the correct format. Check the value of Authorization header.',
  form: 'xml',
};

export function jsonRefusal(code: string, what: string): Refusal {
  const message = `This request is not authorized to perform this operation using this ${what}.`;
  return { status: 403, code, message, form: 'json' };
}
