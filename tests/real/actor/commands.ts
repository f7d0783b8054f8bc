// commands.ts - the commands of the site to an actor.

import { checking } from './checking.js';
import { filling } from './filling.js';
import { navigating } from './navigating.js';
import { scrolling } from './scrolling.js';
import { sharing } from './sharing.js';
import { stalling } from './stalling.js';
import { writing } from './writing.js';

export const COMMANDS = {
  ...checking,
  ...filling,
  ...navigating,
  ...scrolling,
  ...sharing,
  ...stalling,
  ...writing,
};
export type Commands = typeof COMMANDS;
