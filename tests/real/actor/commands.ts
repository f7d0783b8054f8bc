// commands.ts - the commands of the site to an actor.

import { checking } from './checking.js';
import { going } from './going.js';
import { sharing } from './sharing.js';
import { stalling } from './stalling.js';
import { writing } from './writing.js';

export const COMMANDS = { ...checking, ...going, ...sharing, ...stalling, ...writing };
export type Commands = typeof COMMANDS;
