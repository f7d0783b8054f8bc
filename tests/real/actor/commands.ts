// commands.ts - what the site can order an actor to do.

import { going } from './going.js';
import { sharing } from './sharing.js';
import { telling } from './telling.js';

export const COMMANDS = { ...going, ...sharing, ...telling };
export type Commands = typeof COMMANDS;
