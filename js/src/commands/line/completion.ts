/**
 * `entitable completion`: prints a script that completes the words of the command in a shell.
 *
 * @module
 */

import type { Command, Output } from './command.js';
import { readOptions, UsageError, type Option } from './options.js';
import type { CommandUsage } from './usage.js';

type Commands = Readonly<Record<string, Pick<Command, 'usage'>>>;

/** The usage of the command. */
export const COMPLETION = {
  summary: 'prints a script that completes this command in bash, zsh or fish',
  forms: ['bash|zsh|fish'],
  options: {},
  words: ['bash', 'zsh', 'fish'],
  notes: [
    'bash: entitable completion bash > ~/.local/share/bash-completion/completions/entitable\n' +
      'zsh:  entitable completion zsh > a file _entitable in a folder of $fpath\n' +
      'fish: entitable completion fish > ~/.config/fish/completions/entitable.fish',
  ],
} as const satisfies CommandUsage;

const SHELLS: Readonly<Record<string, (commands: Commands) => string[]>> = { bash, zsh, fish };

/** Runs the command. */
export async function completion(
  words: readonly string[],
  { write }: Output,
  commands: Commands,
): Promise<number> {
  const [shell = '', ...more] = readOptions(words, COMPLETION.options, true).operands;
  if (!Object.hasOwn(SHELLS, shell) || more.length > 0) {
    throw new UsageError('completion takes one of bash, zsh and fish');
  }
  for (const line of SHELLS[shell]!(commands)) await write(line);
  return 0;
}

const optionsOf = ({ usage }: Pick<Command, 'usage'>): [string, Option][] => [
  ...Object.entries(usage.options as Record<string, Option>).filter(([, { text }]) => text),
  ['--help', { text: 'print this' }],
];

const choicesOf = ({ choices = {} }: Option) => Object.keys(choices).join(' ');

// Files are completed where the script has nothing.
function bash(commands: Commands): string[] {
  const cases = Object.entries(commands).flatMap(([name, command]) => [
    ...optionsOf(command).flatMap(([option, spec]) => {
      if (spec.value === undefined) return [];
      return [`      "${name} ${option}") words='${choicesOf(spec)}' ;;`];
    }),
    `      "${name} "*) words='${[
      ...(command.usage.words ?? []),
      ...optionsOf(command).map(([option]) => option),
    ].join(' ')}' ;;`,
  ]);
  return [
    '_entitable() {',
    '  local word=$2 before=$3 words=""',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    words='${Object.keys(commands).join(' ')} --help --version'`,
    '  else',
    `    set -- "\${COMP_WORDS[@]}"`,
    '    case "$2 $before" in',
    ...cases,
    '    esac',
    '  fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
    '}',
    'complete -o default -F _entitable entitable',
  ];
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function zsh(commands: Commands): string[] {
  const cases = Object.entries(commands).map(([name, command]) => {
    const specs = optionsOf(command).map(([option, spec]) => {
      const text = (spec.text ?? '').replace(/[[\]\\:]/g, '\\$&');
      const action = spec.choices ? `(${choicesOf(spec)})` : '_files';
      const value = spec.value === undefined ? '' : `:${spec.value.toLowerCase()}:${action}`;
      return quoted(`${spec.isRepeated ? '*' : ''}${option}[${text}]${value}`);
    });
    const { words } = command.usage;
    const others = quoted(words ? `*:word:(${words.join(' ')})` : '*:file:_files');
    return `    ${name}) _arguments ${[...specs, others].join(' ')} ;;`;
  });
  const names = Object.entries(commands).map(([name, { usage }]) =>
    quoted(`${name}:${usage.summary.replaceAll(':', '\\:')}`),
  );
  return [
    '#compdef entitable',
    '_entitable() {',
    '  if (( CURRENT == 2 )); then',
    `    local -a commands=(${names.join(' ')})`,
    "    _describe 'command' commands",
    '    return',
    '  fi',
    '  local command=$words[2]',
    '  shift words',
    '  (( CURRENT-- ))',
    '  case $command in',
    ...cases,
    '  esac',
    '}',
    // As a file of $fpath, it is called at once; read by `source`, it says what it completes.
    'if [[ $funcstack[1] == _entitable ]]; then _entitable "$@"; else compdef _entitable entitable; fi',
  ];
}

function fish(commands: Commands): string[] {
  const first = Object.entries(commands).map(
    ([name, { usage }]) =>
      `complete -c entitable -n __fish_use_subcommand -f -a ${name} -d ${quoted(usage.summary)}`,
  );
  const others = Object.entries(commands).flatMap(([name, command]) => {
    const condition = quoted(`__fish_seen_subcommand_from ${name}`);
    const { words = [] } = command.usage;
    const options = optionsOf(command).map(([option, spec]) => {
      const value = spec.value === undefined ? '' : ' -r';
      const choices = spec.choices ? ` -f -a ${quoted(choicesOf(spec))}` : '';
      const text = quoted(spec.text ?? '');
      return `complete -c entitable -n ${condition} -l ${option.slice(2)}${value}${choices} -d ${text}`;
    });
    return words.length === 0
      ? options
      : [...options, `complete -c entitable -n ${condition} -f -a ${quoted(words.join(' '))}`];
  });
  return [...first, ...others];
}
