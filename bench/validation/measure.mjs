// measure.mjs - measures validation, in Node: the time for an entity, and how fast JSON becomes
// entities that keep every rule.

import { say, step } from '../../scripts/lib/terminal.mjs';
import { openAccount } from '../../dist/index.js';
import { memoryStorage } from '../../dist/storage/memory.js';
import { eachEntity } from '../page/dataset.js';
import { median, numberText } from '../report/figures.mjs';
import { measureForm } from './form-sizes.mjs';
import { makeForms, timePerKeyStroke } from './forms.mjs';
import { makePeers, versionOf } from './peers.mjs';

const ROUNDS = 7;
const CHECKS = 20_000;
const ENTITIES = 50_000;

export async function measureValidation(results) {
  await measureForm(results);
  const peers = await makePeers();
  const forms = await makeForms();
  const names = Object.keys(peers);
  const rounds = Object.fromEntries(names.map((name) => [name, []]));
  await step(`validated in ${ROUNDS} rounds`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of names)
        rounds[name].push(await measurePeer(name, peers[name], forms[name]));
    }
  });
  const figuresOf = (list) =>
    Object.fromEntries(
      Object.keys(list[0]).map((figure) => [figure, median(list.map((one) => one[figure]))]),
    );
  results.data.validation = {
    rounds: ROUNDS,
    versions: Object.fromEntries(
      names.filter((name) => name !== 'entitable').map((name) => [name, versionOf(name)]),
    ),
    peers: Object.fromEntries(names.map((name) => [name, figuresOf(rounds[name])])),
  };
  results.save();
  for (const [name, figures] of Object.entries(results.data.validation.peers)) {
    const texts = Object.entries(figures).map(([what, value]) => `${what} ${numberText(value)}`);
    say(`${name}: ${texts.join(', ')}`);
  }
}

async function measurePeer(name, { toNative, countErrors }, countFormErrors) {
  const entities = Array.from(eachEntity(1000), toNative);
  const wrong = entities.map((entity) => ({ ...entity, rowKey: 'a/b', age: 2 ** 40 + 0.5 }));
  return {
    validUs: timePerCheck(entities, countErrors, (count) => count === 0),
    wrongUs: timePerCheck(wrong, countErrors, (count) => count > 0),
    keyStrokeUs: timePerKeyStroke(countFormErrors, CHECKS),
    ingestMBs: name === 'entitable' ? await importRate() : parseRate(toNative, countErrors),
  };
}

// In microseconds.
function timePerCheck(entities, countErrors, isRight) {
  const checkAll = (count) => {
    for (let i = 0; i < count; i++) {
      if (!isRight(countErrors(entities[i % entities.length]))) throw new Error('a wrong result');
    }
  };
  checkAll(CHECKS / 10);
  const start = performance.now();
  checkAll(CHECKS);
  return ((performance.now() - start) * 1000) / CHECKS;
}

const megabytesPerSecond = (bytes, ms) => bytes / 1e6 / (ms / 1000);

// The same entities as JSON Lines. `balance` and `created` are texts for the peers, and have the
// annotations of OData for Entitable.
function linesOf(toRow) {
  let text = '';
  for (const entity of eachEntity(ENTITIES)) text += `${JSON.stringify(toRow(entity))}\n`;
  return new TextEncoder().encode(text);
}

const toOData = ({ partitionKey, rowKey, ...properties }) => ({
  PartitionKey: partitionKey,
  RowKey: rowKey,
  ...properties,
  'balance@odata.type': 'Edm.Int64',
  'created@odata.type': 'Edm.DateTime',
});

// Reads, checks and stores them.
async function importRate() {
  const bytes = linesOf(toOData);
  const account = await openAccount({ storage: memoryStorage() });
  const table = account.tableClient('Entities');
  await table.createTable();
  const start = performance.now();
  const { stored } = await table.importEntities(new Blob([bytes]).stream());
  const ms = performance.now() - start;
  await account.close();
  if (stored !== ENTITIES) throw new Error(`${stored} entities were stored`);
  return megabytesPerSecond(bytes.length, ms);
}

// Reads and checks them; stores nothing.
function parseRate(toNative, countErrors) {
  const bytes = linesOf((entity) => entity);
  const start = performance.now();
  const lines = new TextDecoder().decode(bytes).split('\n');
  let valid = 0;
  for (const line of lines) {
    if (line && countErrors(toNative(JSON.parse(line))) === 0) valid++;
  }
  const ms = performance.now() - start;
  if (valid !== ENTITIES) throw new Error(`${valid} entities are valid`);
  return megabytesPerSecond(bytes.length, ms);
}
