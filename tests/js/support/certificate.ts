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
