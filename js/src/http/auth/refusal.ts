/**
 * The refusals of requests that are not allowed.
 *
 * Source: auth of the spec, 5.8.
 *
 * @module
 */

/**
 * A refusal in the words of the service. The core writes it in the form that the client accepts.
 */
export interface Refusal {
  readonly status: 400 | 401 | 403;
  readonly code: string;
  readonly message: string;
  /** The value of the header `WWW-Authenticate`, if there is one. */
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

/** In the form that clients of the service read. It names no tenant, so no client asks again. */
export const TOKEN_CHALLENGE =
  'Bearer authorization_uri=https://login.microsoftonline.com/common/oauth2/authorize ' +
  'resource_id=https://storage.azure.com';

/** The client sent a token, but only signatures are accepted. */
export const NO_TOKENS: Refusal = { ...MALFORMED, status: 401, challenge: TOKEN_CHALLENGE };

export function mismatch(code: string, what: string): Refusal {
  const message = `This request is not authorized to perform this operation using this ${what}.`;
  return { status: 403, code, message };
}
