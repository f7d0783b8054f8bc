/**
 * Why a request is not let in.
 *
 * Source: auth of the spec, 5.8.
 *
 * @module
 */

/** As the service says it; the core writes it in the form that the client accepts. */
export interface Refusal {
  readonly status: 400 | 401 | 403;
  readonly code: string;
  readonly message: string;
  /** What the header `WWW-Authenticate` says, if there is one. */
  readonly challenge?: string | undefined;
}

export const FAILED: Refusal = {
  status: 403,
  code: 'AuthenticationFailed',
  message:
    'Server failed to authenticate the request. Make sure the value of Authorization header is ' +
    'formed correctly including the signature.',
};

export const MALFORMED: Refusal = {
  status: 400,
  code: 'InvalidAuthenticationInfo',
  message:
    'Authentication information is not given in the correct format. Check the value of Authorization header.',
};

/** A token, where only signatures are accepted. */
export const NO_TOKENS: Refusal = {
  ...MALFORMED,
  status: 401,
  challenge: 'Bearer error="invalid_token"',
};

export function mismatch(code: string, what: string): Refusal {
  const message = `This request is not authorized to perform this operation using this ${what}.`;
  return { status: 403, code, message };
}
