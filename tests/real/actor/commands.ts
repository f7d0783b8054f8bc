// commands.ts - the commands of the site to an actor.

import { checking } from './checking.js';
import { navigating } from './navigating.js';
import { sharing } from './sharing.js';
import { stalling } from './stalling.js';
import { writing } from './writing.js';

export const COMMANDS = { ...checking, ...navigating, ...sharing, ...stalling, ...writing };
export type Commands = typeof COMMANDS;
