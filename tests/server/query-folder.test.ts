// `entitable query` over a folder: orders, groups, and names that no entity has.

import { describe, expect, it } from 'vitest';

import { entitable } from '../js/support/commands.js';
import { newFolder } from '../package/support/serve.js';
import { inFolder } from './support/move.js';

describe('a query of a folder', () => {
  const SALES = [
    { partitionKey: '2024', rowKey: '1', kind: 'tea', price: 4.5, sold: 10n },
    { partitionKey: '2024', rowKey: '2', kind: 'tea', price: 5, sold: 7n },
    { partitionKey: '2025', rowKey: '1', kind: 'cup', price: 12, sold: 3n },
    { partitionKey: '2025', rowKey: '2', kind: 'a,b', price: 12 },
  ];

  async function sales() {
    const folder = newFolder();
    await inFolder(folder, async (account) => {
      await account.createTable('Sales');
      await account.tableClient('Sales').importEntities(SALES);
    });
    return (...words: string[]) => entitable('query', '--at', folder, '--table', 'Sales', ...words);
  }

  it('prints entities in an order', async () => {
    const query = await sales();
    const words = ['--order-by', 'price desc,RowKey desc', '--select', 'RowKey,kind,price'];

    expect((await query(...words)).lines).toEqual([
      'RowKey  kind  price',
      '2       a,b   12',
      '1       cup   12',
      '2       tea   5',
      '1       tea   4.5',
    ]);
    const page = await query(...words, '--skip', '1', '--top', '2', '--json');
    const kinds = page.lines.map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect(kinds).toEqual(['cup', 'tea']);
    expect(page.errors).toBe('there are more entities than these 2: give a greater --top\n');
  });

  it('prints a line for each group', async () => {
    const query = await sales();
    const words = ['--group-by', 'kind', '--aggregate', 'count,total=sum:price,sum:sold'];

    expect(await query(...words)).toEqual({
      code: 0,
      lines: [
        'kind  count  total  sum_sold',
        'a,b   1      12',
        'cup   1      12     3',
        'tea   2      9.5    17',
      ],
      errors: '',
    });
    expect((await query(...words, '--format', 'csv', '--filter', 'price ge 5')).lines).toEqual([
      'kind,count,total,sum_sold\r',
      '"a,b",1,12,\r',
      'cup,1,12,3\r',
      'tea,1,5,7\r',
    ]);
    const json = await query(...words, '--format', 'json', '--top', '2');
    expect(json.lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { kind: 'a,b', count: 1, total: 12 },
      { kind: 'cup', count: 1, total: 12, sum_sold: '3', 'sum_sold@odata.type': 'Edm.Int64' },
    ]);
    expect(json.errors).toBe('there are more groups than these 2: give a greater --top\n');
  });

  it('prints groups in the order of a column', async () => {
    const query = await sales();
    const groups = ['--group-by', 'kind', '--aggregate', 'count,sum:price,sum:sold'];
    const kindsBy = async (...words: string[]) => {
      const { code, lines, errors } = await query(...groups, '--order-by', ...words, '--json');
      expect(code, errors).toBe(0);
      return lines.map((line) => (JSON.parse(line) as { kind: string }).kind).join(';');
    };

    // Equal groups stay in the order of `--group-by`.
    expect(await kindsBy('sum_price desc')).toBe('a,b;cup;tea');
    expect(await kindsBy('sum_price desc,kind desc')).toBe('cup;a,b;tea');
    // A missing sum comes first, as a missing property does in the order of entities.
    expect(await kindsBy('sum_sold')).toBe('a,b;cup;tea');
    expect(await kindsBy('count desc', '--top', '1')).toBe('tea');
    expect(await kindsBy('sum_sold desc', '--skip', '1', '--top', '1')).toBe('cup');
    const years = ['--group-by', 'PartitionKey', '--aggregate', 'n=max:price'];
    expect(await query(...years, '--order-by', 'n desc,PartitionKey', '--top', '1')).toEqual({
      code: 0,
      lines: ['PartitionKey  n', '2025          12'],
      errors: 'there are more groups than these 1: give a greater --top\n',
    });
    const bins = ['--group-by', 'kind', '--aggregate', 'count,histogram:price:0/10/20'];
    const { lines } = await query(...bins, '--order-by', 'count desc', '--top', '2');
    expect(lines.slice(1).map((line) => line.split(/ +/).join())).toEqual([
      'tea,2,0,10,2',
      'tea,2,10,20,0',
    ]);
  });

  it('names properties that no entity has, and no others', async () => {
    const query = await sales();
    const notes = async (...words: string[]) => {
      const { code, errors } = await query(...words);
      expect(code, errors).toBe(0);
      return errors;
    };
    const note = (name: string, meant?: string) =>
      `Note: no entity has the property "${name}".${meant ? ` Did you mean "${meant}"?` : ''}\n`;

    expect(await notes('--group-by', 'knd')).toBe(note('knd', 'kind'));
    expect(await notes('--group-by', 'year(brn),kind')).toBe(note('brn'));
    expect(await notes('--aggregate', 'count,sum:prise,max:price')).toBe(note('prise', 'price'));
    expect(await notes('--aggregate', 'histogram:Price:10')).toBe(note('Price', 'price'));
    expect(await notes('--select', 'RowKey,knd,price')).toBe(note('knd', 'kind'));
    expect(await notes('--order-by', 'prise desc,knd', '--json')).toBe(
      note('prise', 'price') + note('knd', 'kind'),
    );
    expect(await notes('--search', 'knd:tea')).toBe(note('knd', 'kind'));
    const filter = ['--filter', "RowKey eq '2' and price gt 10"];
    expect(await notes('--select', 'sold', ...filter)).toBe(
      'Note: no entity that the filter selects has the property "sold".\n',
    );

    // Not among the first entities, or not what the function calculates of.
    expect(await notes('--order-by', 'price', '--select', 'RowKey')).toBe('');
    expect(await notes('--select', 'sold', '--order-by', 'RowKey desc', '--top', '1')).toBe(
      'there are more entities than these 1: give a greater --top\n',
    );
    expect(await notes('--aggregate', 'sum:kind')).toBe('');
    expect(await notes('--group-by', 'year(kind)')).toBe('');
    expect(await notes('--search', 'kind:coffee')).toBe('');
    expect(await notes('--search', 'sold:7')).toBe(
      'Note: the property "sold" has the type Edm.Int64; a search reads only Strings.\n',
    );
    expect(await notes('--select', 'Timestamp,RowKey')).toBe('');
    // What makes a filter find nothing is named, too.
    expect(await notes('--filter', "knd eq 'tea'")).toBe(note('knd', 'kind'));
    expect(await notes('--filter', 'Price gt 1', '--aggregate', 'count')).toBe(
      note('Price', 'price'),
    );
    const types = await notes('--filter', "price gt '4'", '--group-by', 'kind');
    expect(types).toMatch(/^Note: In table "Sales", "price" has the type /);
    expect(types).toContain('the result is false for every value');
    expect(await notes('--filter', 'knd gt 1', '--dialect', 'extended')).toBe(note('knd', 'kind'));
    expect(await notes('--filter', 'price gt 1000', '--aggregate', 'count')).toBe('');
    // Here the filter is not why nothing is printed, or why there is 0.
    expect(await notes('--filter', "price ne 'x'", '--skip', '9')).toBe('');
    expect(await notes('--filter', "price gt 1 or knd eq 'tea'", '--skip', '9')).toBe('');
    expect(await notes('--filter', "price gt 1 or knd eq 'tea'", '--search', 'kind:milk')).toBe('');
    expect(await notes('--filter', "price gt 1 or knd eq 'tea'", '--aggregate', 'count')).toBe('');
    expect(await notes('--filter', "knd eq 'tea'", '--skip', '9')).toBe(note('knd', 'kind'));
    const always = await notes('--filter', "price ne 'x' and price gt 100");
    expect(always).toBe('');
    // Nothing is known of no entities.
    expect(await notes('--select', 'knd', '--filter', 'price gt 100')).toBe('');
    expect(await notes('--search', 'knd:tea', '--filter', 'price gt 100')).toBe('');
  });

  it('prints groups of keys, distinct groups, and one line for all entities', async () => {
    const query = await sales();

    expect((await query('--group-by', 'PartitionKey desc')).lines).toEqual([
      'PartitionKey',
      '2025',
      '2024',
    ]);
    const all = 'min:price,max:RowKey,avg:price,count:sold';
    expect((await query('--aggregate', all)).lines).toEqual([
      'min_price  max_RowKey  avg_price  count_sold',
      '4.5        2           8.375      3',
    ]);
  });

  it('is refused where words do not go together', async () => {
    const query = await sales();
    for (const [line, message] of [
      ['--aggregate total', '--aggregate takes count or count:NAME, sum:NAME'],
      ['--aggregate sum', '--aggregate takes count or count:NAME, sum:NAME'],
      ['--aggregate count,count', '--aggregate names two results the same'],
      ['--group-by kind --order-by price', '--order-by of groups takes columns that are printed'],
      ['--where price=3', 'no option --where; did you mean --filter?'],
      ['--tabel Sales', 'no option --tabel; did you mean --table?'],
      ['--group-by kind --select kind', '--select is for entities'],
      ['--skip -1', '--skip takes a number of 0 or more'],
      ['--json --format csv', 'give one of --format HOW and --json'],
    ] as const) {
      const { code, lines, errors } = await query(...line.split(' '));
      expect({ code, lines }, line).toEqual({ code: 2, lines: [] });
      expect(errors).toContain(`error: ${message}`);
      expect(errors.split('\n').slice(1)).toEqual(['See entitable query --help', '']);
    }
  });
});
