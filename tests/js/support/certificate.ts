// certificate.ts - a certificate that signs itself, made for the test (RFC 5280, in DER).

import { createSign, generateKeyPairSync } from 'node:crypto';

/** A certificate and its key, both in PEM. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

const [INTEGER, BIT_STRING, OCTET_STRING, UTF8_STRING] = [0x02, 0x03, 0x04, 0x0c];
const [GENERALIZED_TIME, SEQUENCE, SET, EXTENSIONS] = [0x18, 0x30, 0x31, 0xa3];
// Kinds of names in a certificate: of a host, and an address.
const [DNS_NAME, IP_ADDRESS] = [0x82, 0x87];

function der(tag: number, ...content: (Buffer | readonly number[])[]): Buffer {
  const body = Buffer.concat(content.map((part) => Buffer.from(part)));
  const { length } = body;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const id = (...bytes: number[]) => der(0x06, bytes);
const ECDSA_WITH_SHA256 = der(SEQUENCE, id(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const COMMON_NAME = id(0x55, 0x04, 0x03);
const SUBJECT_NAMES = id(0x55, 0x1d, 0x11);

/** Valid for `localhost` and 127.0.0.1, from 2020 to 2099. */
export function newCertificate(): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = der(
    SEQUENCE,
    der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, Buffer.from('entitable test')))),
  );
  const names = der(
    SEQUENCE,
    der(DNS_NAME, Buffer.from('localhost')),
    der(IP_ADDRESS, [127, 0, 0, 1]),
  );
  const content = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, [2])),
    der(INTEGER, [1]),
    ECDSA_WITH_SHA256,
    name,
    der(SEQUENCE, ...['20200101000000Z', '20991231235959Z'].map(timeOf)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(EXTENSIONS, der(SEQUENCE, der(SEQUENCE, SUBJECT_NAMES, der(OCTET_STRING, names)))),
  );
  const signature = createSign('sha256').update(content).sign(privateKey);
  const whole = der(SEQUENCE, content, ECDSA_WITH_SHA256, der(BIT_STRING, [0], signature));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${whole.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

const timeOf = (text: string) => der(GENERALIZED_TIME, Buffer.from(text));

/**
 * A PFX file with such a certificate and its key, which Node cannot make. It was made by `openssl
 * pkcs12 -export`.
 */
export const PFX = {
  passphrase: 'secret',
  bytes: Buffer.from(
    [
      'MIIDzAIBAzCCA4IGCSqGSIb3DQEHAaCCA3MEggNvMIIDazCCAiIGCSqGSIb3DQEHBqCCAhMwggIPAgEAMIICCAYJKoZI',
      'hvcNAQcBMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAg8RVet01hVpwICCAAwDAYIKoZIhvcNAgkFADAdBglg',
      'hkgBZQMEASoEENlF3zAiXerLTdp9y4tO6LKAggGgMwguYowK+9qWrBZNWd8eJJaSUlEVbFkr1ADLNpk1O83F1YKWR5c+',
      'dS9dlqhGCkoG8vtsFr+Vw1D1cTlrQcgQ+cKPzI5YjKLIBhmPLIy6e52sWJXtM8vjwHWMSq+m00B6LLnTwKwCbp03X7Wy',
      'kJCPgY1tNEfX95U+erMi2OzY4UL4BRmiPTqUNtGOyiT9XkF0hituzcanssWJPpLT86vR88bP+QGBwiS5HgrcIQ0gPp0i',
      'lU4SZDKHToO31opYzJKUcFxd+G8wCDVzmrmu7t5wbsmXaDDKY7jgVTzYg0Xf4SgUGfWgZiTcc9r4XlTAbAbX0eiNO1ec',
      'V8qJBKETPyZoOIuXu/edhWObjyeY0PrrEH5wsU7nMTRqM1uCgBCSlnUxkRQyandP23mXzpr1g4EjPR4hoj7SjIGdIwZY',
      'jC7ijEf45ZrIgGRAD9FGNmge48cnQbvRNSeUzlYlkleq1LYko4S7jq0lAap2m9tjw0C83cIR4uAjWTojMKNh5c/F/Ygf',
      'Z9yXHt4/aVUwymiOqA0PaMlPIGSy3c42xh2G4VJo1TgwggFBBgkqhkiG9w0BBwGgggEyBIIBLjCCASowggEmBgsqhkiG',
      '9w0BDAoBAqCB7zCB7DBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQI1KgCmQ9ZSpsCAggAMAwGCCqGSIb3DQIJ',
      'BQAwHQYJYIZIAWUDBAEqBBCgrjkPyV0bPGfCC0AKybLtBIGQlASOtlBD474xwU+E6AvUyxaCI1JHx7dIKf9/CPtY9e7A',
      '2KP3RZ0YHrSqk9UeMbbrCcVdbJQqEOtUG86tItuL18RPFT4B9czN9W6qzDLEnzWXXZyQ4HRUBk5bntHZVX/MFWiJeP7p',
      '3teh/9KCIk2Tqi/RuqJLO9WCBoLfyhot2Fad/IVwY9fzCfQq3b59R2F1MSUwIwYJKoZIhvcNAQkVMRYEFGKHEWgmLc+C',
      'jxwolgSYIgFr7O/KMEEwMTANBglghkgBZQMEAgEFAAQgXR0PnCXYa41PvKUsOw8EB3lmnkctWmkmWK/LR3JB7WYECBpw',
      '4+tFRROzAgIIAA==',
    ].join(''),
    'base64',
  ),
  /** The certificate in it. */
  cert: `-----BEGIN CERTIFICATE-----\n${[
    'MIIBQzCCAOmgAwIBAgIBATAKBggqhkjOPQQDAjAZMRcwFQYDVQQDDA5lbnRpdGFibGUgdGVzdDAiGA8yMDIwMDEwMTAw',
    'MDAwMFoYDzIwOTkxMjMxMjM1OTU5WjAZMRcwFQYDVQQDDA5lbnRpdGFibGUgdGVzdDBZMBMGByqGSM49AgEGCCqGSM49',
    'AwEHA0IABG/1r1Xq3yyK9ryjqDr2JHsf76kPz+cQPUCYCTsCZSRBekP73yDpMTf1h8oTlrwtu/i6AvNxFWU0FeF1Yvf3',
    'f8OjHjAcMBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAKBggqhkjOPQQDAgNIADBFAiAdM1cbhwllmkL7uFJhCtyY',
    'tLGv1XXv3+0X/RirxsSRYgIhANU6h+7rO1qo8z8rRhDxWJJNCKna4FG12Y4ImcENfqDb',
  ].join('')}\n-----END CERTIFICATE-----\n`,
};
