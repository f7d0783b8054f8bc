// generate-limits.mjs - writes the limits of the core as constants: js/src/base/limits.ts.
//
//   node scripts/generate-limits.mjs

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { enterProject } from './lib/project.mjs';

export const LIMITS_FILE = 'js/src/base/limits.ts';

const HEAD = `/**
 * The limits of the core. Code that would copy more than that refuses it first.
 *
 * \`scripts/generate-limits.mjs\` writes this file from the sources of the core.
 *
 * @module
 */
`;

/** The text of the file. */
export function generateLimits() {
  const limits = constantsIn('core/src/model/limits.h', 'core/src/model/names.h');
  const times = constantsIn('core/src/base/date_time.h', 'core/src/base/date_time.cc');
  const ticksPerMs = times('kTicksPerMillisecond');
  const msOf = (name) => (times(name) - times('kUnixEpochTicks')) / ticksPerMs;
  const constants = [
    ['MAX_STRING_LENGTH', limits('kMaxStringLength'), 'Of a string, in UTF-16 units.'],
    ['MAX_BINARY_BYTES', limits('kMaxBinaryBytes'), 'Of a Binary.'],
    ['MAX_CUSTOM_PROPERTIES', limits('kMaxCustomProperties'), 'Of an entity.'],
    ['MAX_ENTITY_BYTES', limits('kMaxEntityBytes'), "By the service's formula."],
    ['MAX_BODY_BYTES', limits('kMaxBodyBytes'), 'Of a request; no text of it is longer.'],
    ['MAX_TRANSACTION_PARTS', limits('kMaxTransactionParts'), 'Actions of one transaction.'],
    ['MAX_PAGE_RESULTS', limits('kMaxPageResults'), 'Entities or tables of one page of results.'],
    ['MAX_PROPERTY_NAME_LENGTH', limits('kMaxPropertyNameLength'), 'In UTF-16 units.'],
    ['MAX_SCHEMA_BYTES', limits('kMaxSchemaBytes'), 'Of the compiled schema of a table.'],
    ['MIN_DATE_TIME_MS', msOf('kMinDateTime'), 'The first DateTime, in milliseconds since 1970.'],
    ['MAX_DATE_TIME_MS', msOf('kMaxDateTime'), 'The last whole millisecond of a DateTime.'],
    ['TICKS_PER_MS', ticksPerMs, 'The core counts time in ticks of 100 ns since the year 1.'],
    ['MS_BEFORE_1970', times('kUnixEpochTicks') / ticksPerMs, 'From the year 1 to 1970.'],
  ];
  return [HEAD, ...constants.map(([name, value, text]) => constant(name, value, text))].join('\n');
}

const constant = (name, value, text) =>
  `/** ${text} */\nexport const ${name} = ${grouped(value)};\n`;

const grouped = (value) => `${value}`.replace(/\B(?=(\d{3})+$)/g, '_');

// Returns the value of a C++ constant by its name, as a BigInt: a number cannot hold ticks.
function constantsIn(...files) {
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  return (name) => {
    const value = new RegExp(String.raw`\b${name}(?: = |\{)([\d']+)(?:;|\};)`).exec(text)?.[1];
    if (!value) throw new Error(`${files.join(' and ')} have no constant ${name}`);
    return BigInt(value.replaceAll("'", ''));
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  enterProject();
  writeFileSync(LIMITS_FILE, generateLimits());
}
