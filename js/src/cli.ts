#!/usr/bin/env node
/**
 * The command `entitable`.
 *
 * @module
 */

import process from 'node:process';

import { outputOn } from './commands/line/terminal.js';
import { runProgram } from './commands/program.js';

const { argv, env: environment, stdout, stderr } = process;

// The program that reads these lines may end first, as `head` does. The command goes on then.
for (const output of [stdout, stderr]) output.on('error', () => {});

const context = { ...outputOn(stdout, stderr), environment };
const code = await runProgram(argv.slice(2), context);
// When all lines are written.
stdout.write('', () => process.exit(code));
