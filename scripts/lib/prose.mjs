// prose.mjs - how a page of Markdown reads: its words, its sentences, its lists, and turns of
// phrase that no English writer would use.

// Each has the words to look for. A line may end between them.
const TURNS = {
  'is refused': /\b(?:is|are|was|were|be) refused\b/g,
  'counts as': /\bcounts? (?:as|for|less)\b/g,
  'holds for': /\bholds? for\b/g,
  'comes with': /\bcomes? with\b/g,
  'gives an error': /\bgives `[A-Z]/g,
  'also for even': /[,(] also\b/g,
  'Also …': /(?:^|[.!?:] )Also\b/g,
  'Beyond the service.': /\bBeyond the service\b/g,
  'You want …': /(?:^|[.!?:] )You want\b/g,
};

const ITEM = /^( *)(?:[-*]|\d+\.) +/;
const NO_TEXT = /^(?:#|\||<|!\[|:::|---)/;
// A link is its words.
const LINK = /!?\[([^\]]*)\]\([^)]*\)/g;

/** The text of a page without its blocks of code, whose lines become empty. */
const withoutCode = (text) =>
  text.replace(/^ *```[^]*?^ *```$/gm, (block) => block.replace(/.*/g, ''));

/** The paragraphs and items of lists: the line where each begins, and its lines. */
function blocksOf(text) {
  const blocks = [];
  let block;
  for (const [index, line] of withoutCode(text).split('\n').entries()) {
    const item = ITEM.exec(line);
    if (item || !line.trim() || NO_TEXT.test(line)) block = undefined;
    if (!line.trim() || NO_TEXT.test(line)) continue;
    if (!block) {
      block = { line: index + 1, indent: item?.[1].length, lines: [] };
      blocks.push(block);
    }
    block.lines.push(line.replace(ITEM, '').trim());
  }
  return blocks;
}

const wordsIn = (text) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** The sentences of a block. What ends without a point, such as an item of names, is none. */
function sentencesOf({ lines }) {
  const text = lines
    .join(' ')
    .replace(LINK, '$1')
    .replace(/`[^`]*`/g, 'code');
  return text
    .split(/(?<=[.!?][)"*_]*) +(?=[(*_"]*[\p{Lu}\d]|code)/u)
    .filter((sentence) => /[.!?:][)"*_]*$/.test(sentence));
}

/** The number of points of the longest list. */
function longestListOf(text) {
  let longest = 0;
  const counts = [];
  for (const line of withoutCode(text).split('\n')) {
    const item = ITEM.exec(line);
    if (item) {
      const indent = item[1].length;
      counts.length = indent + 1;
      counts[indent] = (counts[indent] ?? 0) + 1;
      longest = Math.max(longest, counts[indent]);
    } else if (/^\S/.test(line)) counts.length = 0;
  }
  return longest;
}

function turnsOf({ line, lines }) {
  const text = lines.join(' ');
  return Object.entries(TURNS).flatMap(([turn, pattern]) =>
    [...text.matchAll(pattern)].map(({ index }) => {
      let before = 0;
      while (index >= lines.slice(0, before + 1).join(' ').length) before++;
      return { line: line + before, turn };
    }),
  );
}

/** What is to be known of a page. Shares are numbers from 0 to 1. */
export function proseOf(text) {
  const blocks = blocksOf(text);
  const lengths = blocks.flatMap(sentencesOf).map(wordsIn);
  return {
    words: wordsIn(withoutCode(text).replace(LINK, '$1')),
    lengths,
    longestList: longestListOf(text),
    turns: blocks.flatMap(turnsOf).sort((one, other) => one.line - other.line),
  };
}

/** The mean length of sentences, and the shares of the short and the long ones. */
export function figuresOf(lengths) {
  const share = (fits) => lengths.filter(fits).length / (lengths.length || 1);
  return {
    mean: lengths.reduce((sum, length) => sum + length, 0) / (lengths.length || 1),
    short: share((length) => length <= 8),
    long: share((length) => length > 30),
  };
}
