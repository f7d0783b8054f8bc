// commands.ts - what the site can order an actor to do.

import { checking } from './checking.js';
import { going } from './going.js';
import { sharing } from './sharing.js';
import { stalling } from './stalling.js';
import { telling } from './telling.js';

export const COMMANDS = { ...checking, ...going, ...sharing, ...stalling, ...telling };
export type Commands = typeof COMMANDS;
