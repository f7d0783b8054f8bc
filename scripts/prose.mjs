// prose.mjs - `npm run prose`: how the documents read.
//
//   npm run prose                  all pages
//   npm run prose -- guides/keys   those whose paths have one of the words
//
// For each page: its words without blocks of code, the mean length of its sentences, the share of
// those of at most 8 words and of more than 30, the points of its longest list, and the turns of
// phrase to avoid, with their lines. A star marks what misses an aim.

import { existsSync, readFileSync, readdirSync } from 'node:fs';

import { figuresOf, proseOf } from './lib/prose.mjs';
import { enterProject } from './lib/project.mjs';

const print = (line) => void process.stdout.write(`${line}\n`);

const AIMS = { mean: [13, 18], short: 0.22, listOfGuide: 7 };
const OTHERS = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'];

function pages() {
  const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  const all = [...OTHERS.filter(existsSync), ...docs.map((name) => `docs/${name}`).sort()];
  const words = process.argv.slice(2);
  return all.filter((page) => words.length === 0 || words.some((word) => page.includes(word)));
}

const marked = (text, isMissed) => `${text}${isMissed ? '*' : ' '}`.padStart(8);
const percent = (share) => `${Math.round(share * 100)} %`;

function row(name, { words, lengths, longestList, turns }) {
  const { mean, short, long } = figuresOf(lengths);
  const [least, most] = AIMS.mean;
  const isGuide = name.startsWith('docs/guides/');
  const cells = [
    marked(words, false),
    marked(mean.toFixed(1), mean < least || mean > most),
    marked(percent(short), short > AIMS.short),
    marked(percent(long), false),
    marked(longestList, isGuide && longestList > AIMS.listOfGuide),
    marked(turns.length, turns.length > 0),
  ];
  return `${cells.join('')}  ${name}`;
}

enterProject();
print(
  `${['words', 'mean', '<= 8', '> 30', 'list', 'turns'].map((name) => name.padStart(7)).join(' ')}   page`,
);
const found = pages().map((page) => [page, proseOf(readFileSync(page, 'utf8'))]);
for (const [page, prose] of found) {
  print(row(page, prose));
  for (const { line, turn } of prose.turns) print(`${' '.repeat(50)}${line}: ${turn}`);
}
print(
  row(`${found.length} pages`, {
    words: found.reduce((sum, [, { words }]) => sum + words, 0),
    lengths: found.flatMap(([, { lengths }]) => lengths),
    longestList: Math.max(0, ...found.map(([, { longestList }]) => longestList)),
    turns: found.flatMap(([, { turns }]) => turns),
  }),
);
