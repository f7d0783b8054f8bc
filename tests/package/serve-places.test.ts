// Where and how the command of the built package serves: readiness, HTTPS, several accounts.

import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { AzureNamedKeyCredential, TableClient, TableServiceClient } from '@azure/data-tables';
import { expect, it, vi } from 'vitest';

import { newCertificate } from '../js/support/certificate.js';
import { claimsAt, tokenOf } from '../js/support/tokens.js';
import { newFolder, run, serve } from './support/serve.js';

const options = { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } };

it('says that it is ready at the end of its start', async () => {
  const child = run('serve', '--port', '0', '--in-memory');
  const input = createInterface(child.stdout!);
  for await (const line of input) {
    const [, origin] = /^Entitable is ready at (http:\/\/127\.0\.0\.1:\d+)$/.exec(line) ?? [];
    if (!origin) continue;
    const health = await fetch(`${origin}/-/health`);
    expect([health.status, await health.text()]).toEqual([200, 'healthy\n']);
    child.kill('SIGTERM');
  }

  expect.assertions(1);
});

it('serves by HTTPS with the files of a certificate, and accepts tokens', async () => {
  const folder = newFolder();
  const { cert, key } = newCertificate();
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
  const words = ['--cert', files.cert, '--key', files.key, '--oauth', 'basic'];
  const server = await serve('--inMemoryPersistence', ...words);
  const token = tokenOf(claimsAt(Date.now()));
  const credential = { getToken: async () => ({ token, expiresOnTimestamp: Infinity }) };
  const tlsOptions = { ca: cert };
  const pets = new TableClient(server.url.href, 'Pets', credential, { ...options, tlsOptions });
  await pets.createTable();

  expect(server.url.protocol).toBe('https:');
  const child = run('serve', '--in-memory', '--cert', key, '--key', files.key);
  let text = '';
  child.stderr!.on('data', (piece) => (text += piece));
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(text).toBe('error: the file of --cert cannot be read: ENOENT\n');
});

it('serves the accounts of the environment, each in a folder', async () => {
  const data = newFolder();
  vi.stubEnv('AZURITE_ACCOUNTS', 'first:a2V5MQ==:a2V5Mg==;second:a2V5Mw==');
  const server = await serve('--location', data).finally(() => vi.unstubAllEnvs());
  const credential = new AzureNamedKeyCredential('second', 'a2V5Mw==');
  const url = new URL('/second', server.url).href;
  await new TableServiceClient(url, credential, options).createTable('Pets');

  expect(server.url.pathname).toBe('/first');
  expect(server.connectionString).toContain('AccountName=first;AccountKey=***;');
  expect(readdirSync(data).sort()).toEqual(['first', 'second']);
});
