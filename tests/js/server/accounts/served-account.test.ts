import { expect, it } from 'vitest';

import type { TableServiceClient } from '../../../../js/src/client/table-service-client.js';
import { createRawTableHandler, type RawTableHandler } from '../../../../js/src/http.js';
import { openAccount } from '../../../../js/src/index.js';
import { ServedAccount } from '../../../../js/src/server/accounts/served-account.js';
import { memoryStorage } from '../../../../js/src/storage/memory.js';
import { errorCode } from '../../support/rejection.js';

// As WebAssembly does it, in the middle of a call.
const abort = ({ session }: TableServiceClient) =>
  errorCode(
    session.submit({
      frame: () => {
        throw new WebAssembly.RuntimeError('unreachable');
      },
      read: () => undefined,
      bytes: 0,
      isWrite: false,
    }),
  );

async function answerOf(handler: RawTableHandler): Promise<{ status: number; text: string }> {
  const { status, body } = await handler({
    method: 'GET',
    target: '/devstoreaccount1/Pets()',
    host: '127.0.0.1',
    headers: new Headers({ Accept: 'application/json' }) as never,
    readBody: () => undefined,
    origin: { isSecure: false },
  });
  return { status, text: new TextDecoder().decode(body) };
}

const statusOf = async (handler: RawTableHandler) => (await answerOf(handler)).status;

async function served(open: () => Promise<TableServiceClient>) {
  const account = await open();
  await account.createTable('Pets');
  let lose!: (reason: unknown) => void;
  const lost = new Promise<unknown>((resolve) => (lose = resolve));
  const accounts = [account];
  const reopened: string[] = [];
  const it = new ServedAccount(account, {
    open: async () => {
      const opened = await open();
      accounts.push(opened);
      return opened;
    },
    handlerFor: (opened) =>
      createRawTableHandler(
        opened,
        { authentication: 'anonymous' },
        { isPatient: true, reopens: true },
      ),
    onReopened: ({ code }) => reopened.push(code),
    onLost: lose,
  });
  return { account, accounts, served: it, lost, reopened };
}

it('opens the account again from its storage when the module aborts', async () => {
  const storage = memoryStorage();
  const { account, served: it, reopened } = await served(() => openAccount({ storage }));
  const before = await it.handler();

  expect(await abort(account)).toBe('ModuleAborted');

  expect(await statusOf(await it.handler())).toBe(200);
  // The request was not carried out, so the client may repeat it.
  expect(await answerOf(before)).toEqual({
    status: 503,
    text: expect.stringContaining('"ServerBusy"') as string,
  });
  expect(reopened).toEqual(['ModuleAborted']);
  await it.close();
});

it('reports that it is not possible', async () => {
  const storage = memoryStorage();
  let opened = 0;
  const open = async () => {
    if (opened++ > 0) throw new Error('no memory');
    return openAccount({ storage });
  };
  const { account, served: it, lost } = await served(open);

  await abort(account);

  expect(await lost).toMatchObject({ cause: { message: 'no memory' } });
  await expect(it.handler()).rejects.toThrow('cannot be opened again');
});

it('reports the account as lost if the module aborts again before it has answered a request', async () => {
  const storage = memoryStorage();
  const open = () => openAccount({ storage });
  const { accounts, served: it, lost, reopened } = await served(open);

  await abort(accounts[0]!);
  await it.handler();
  await abort(accounts[1]!);

  expect(await lost).toMatchObject({
    message: expect.stringMatching(/aborted again .*--max-memory/) as string,
    cause: { code: 'ModuleAborted' },
  });
  await expect(it.handler()).rejects.toThrow('aborted again');
  expect(reopened).toEqual(['ModuleAborted']);
});

it('opens the account again each time, if the module has answered a request since then', async () => {
  const storage = memoryStorage();
  const { accounts, served: it, reopened } = await served(() => openAccount({ storage }));

  for (let i = 0; i < 3; i++) {
    await abort(accounts[i]!);
    expect(await statusOf(await it.handler())).toBe(200);
  }

  expect(reopened).toHaveLength(3);
  await it.close();
});
