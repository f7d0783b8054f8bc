import { describe, expect, it } from 'vitest';

import { generateAccountSas, generateTableSas } from '../../../js/src/http.js';

const account = 'devstoreaccount1';
const key =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';
const table = 'People';
const expiresOn = '2030-01-01T00:00:00Z';

const fieldsOf = (sas: string) =>
  Object.fromEntries(new URLSearchParams(sas.replaceAll('+', '%2B')));

describe('a signature for a table', () => {
  // The vectors of auth of the spec, 5.6.
  it.each([
    [
      { permissions: 'raud', expiresOn },
      'FEV3rhoTdS/3RSGKtdvK7Eg3mJGv2bXXnseXAK4Kfgc=',
      { sp: 'raud', se: expiresOn },
    ],
    [
      {
        permissions: 'r',
        startsOn: '2024-01-01T00:00:00Z',
        expiresOn,
        protocol: 'https' as const,
        startPartitionKey: 'a',
        startRowKey: '1',
        endPartitionKey: 'b',
        endRowKey: '9',
      },
      'h2RgPZyDTiZknA9sgZmtKRyusraSCKIr9c7j5Apywog=',
      {
        sp: 'r',
        st: '2024-01-01T00:00:00Z',
        se: expiresOn,
        spr: 'https',
        spk: 'a',
        srk: '1',
        epk: 'b',
        erk: '9',
      },
    ],
    [{ identifier: 'pol1' }, 'tBOaWkxDFKVLrVtMLz1oM5+GW765eAovWR30+p1aYSI=', { si: 'pol1' }],
  ])('of %j is as the service makes it', async (options, sig, fields) => {
    const sas = await generateTableSas({ account, key, table, ...options });

    expect(fieldsOf(sas)).toEqual({ sv: '2019-02-02', tn: table, ...fields, sig });
  });

  it('accept dates, and letters in any order', async () => {
    const sas = await generateTableSas({
      ...{ account, key, table },
      permissions: 'duar',
      expiresOn: new Date('2030-01-01T00:00:00.000Z'),
    });

    expect(fieldsOf(sas)['sig']).toBe('FEV3rhoTdS/3RSGKtdvK7Eg3mJGv2bXXnseXAK4Kfgc=');
  });

  it.each([
    [{ permissions: 'rx', expiresOn }, 'letters of raud'],
    [{ permissions: 'rr', expiresOn }, 'letters of raud'],
    [{ permissions: '', expiresOn }, 'permissions and expiresOn'],
    [{ permissions: 'r' }, 'permissions and expiresOn'],
    [{ permissions: 'r', expiresOn, startRowKey: '1' }, 'startPartitionKey'],
    [{ permissions: 'r', expiresOn, endRowKey: '1' }, 'endPartitionKey'],
    [{ permissions: 'r', expiresOn, version: '2014-02-14' }, 'version'],
    [{ permissions: 'r', expiresOn, version: '9999-99-99' }, 'version'],
    [{ permissions: 'r', expiresOn, version: '2024-02-30' }, 'version'],
    // Each would be signed like one that is missing, and could be taken away.
    [{ permissions: 'r', expiresOn, startPartitionKey: '' }, 'startPartitionKey must not be empty'],
    [{ permissions: 'r', expiresOn, endPartitionKey: '' }, 'endPartitionKey must not be empty'],
    [
      { permissions: 'r', expiresOn, startPartitionKey: 'a', startRowKey: '' },
      'startRowKey must not be empty',
    ],
    [
      { permissions: 'r', expiresOn, endPartitionKey: 'a', endRowKey: '' },
      'endRowKey must not be empty',
    ],
    [{ permissions: 'r', expiresOn, identifier: '' }, 'identifier must not be empty'],
    [{ permissions: 'r', expiresOn, ipRange: '' }, 'ipRange must not be empty'],
    [{ permissions: 'r', expiresOn, key: 'no!' }, 'Base64'],
  ])('is not made of %j', async (options, message) => {
    const made = generateTableSas({ account, key, table, ...options });

    await expect(made).rejects.toThrow(TypeError);
    await expect(made).rejects.toThrow(message);
  });
});

describe('a signature for an account', () => {
  // The vectors of auth of the spec, 5.7.
  it.each([
    ['2019-02-02', 'dKEa4zPUq/dWdOLrCYusn1Jnz45OJCCdBPi+hMWeijk='],
    ['2020-12-06', 'aQbb1uM9CNZPJhjuzMWpvrja5t6VW2FlvCUFVvjctAk='],
  ])('of version %s is as the service makes it', async (version, sig) => {
    const sas = await generateAccountSas({
      ...{ account, key, version, expiresOn },
      permissions: 'urwdlac',
      resourceTypes: 'ocs',
      protocol: 'https,http',
    });

    expect(fieldsOf(sas)).toEqual({
      ...{ sv: version, ss: 't', srt: 'sco', sp: 'rwdlacu', se: expiresOn },
      ...{ spr: 'https,http', sig },
    });
  });

  it('needs resource types', async () => {
    const options = { account, key, expiresOn };

    await expect(
      generateAccountSas({ ...options, permissions: 'r', resourceTypes: '' }),
    ).rejects.toThrow('letters of sco');
    await expect(
      generateAccountSas({ ...options, permissions: 'x', resourceTypes: 's' }),
    ).rejects.toThrow('letters of rwdlacu');
  });
});
