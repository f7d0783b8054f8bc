// engines.ts - how each browser is started by hand, with a profile that outlives it.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { findFirefox, findMiniBrowser } from '../../../scripts/lib/browsers.mjs';
import { chromiumLaunchOptions } from '../../../scripts/lib/chromium.mjs';
import { forgetProtocol, openTabs } from './chromium.js';
import { display } from './display.js';

export const ENGINES = ['chromium', 'firefox', 'webkit'] as const;
export type EngineName = (typeof ENGINES)[number];

/** A program, what it is given, and what it sees of the environment. */
export interface Command {
  readonly program: string;
  readonly parameters: readonly string[];
  readonly env: Readonly<Record<string, string>>;

  /** Opens the addresses that the program is not given, once it runs. */
  readonly openMore?: () => Promise<void>;
}

/** The command that opens addresses, a tab each, in a browser that keeps all in a folder. */
export function commandFor(
  engine: EngineName,
  profile: string,
  urls: readonly string[],
): Promise<Command> {
  return COMMANDS[engine](profile, urls);
}

const COMMANDS: Record<EngineName, (profile: string, urls: readonly string[]) => Promise<Command>> =
  { chromium, firefox, webkit };

async function chromium(profile: string, urls: readonly string[]): Promise<Command> {
  const { executablePath, args } = chromiumLaunchOptions();
  forgetProtocol(profile);
  return {
    program: executablePath!,
    parameters: [
      ...args,
      '--headless=new',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      ...urls.slice(0, 1),
    ],
    env: {},
    // Without a screen it takes one address and no more.
    openMore: () => openTabs(profile, urls.slice(1)),
  };
}

const FIREFOX_SETTINGS = {
  // Neither the tabs of the time before it was killed, nor a safe mode after some deaths.
  'browser.sessionstore.resume_from_crash': false,
  'toolkit.startup.max_resumed_crashes': -1,
  'browser.startup.page': 0,
  // No traffic of its own beside that of the tests.
  'browser.aboutwelcome.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
};

async function firefox(profile: string, urls: readonly string[]): Promise<Command> {
  const lines = Object.entries(FIREFOX_SETTINGS).map(
    ([name, value]) => `user_pref('${name}', ${value});\n`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join(''));
  const parameters = ['--headless', '--no-remote', '--profile', profile, ...urls];
  return { program: findFirefox()!, parameters, env: {} };
}

async function webkit(profile: string, urls: readonly string[]): Promise<Command> {
  return {
    program: findMiniBrowser()!,
    parameters: urls,
    env: {
      DISPLAY: await display(),
      XDG_DATA_HOME: join(profile, 'data'),
      XDG_CACHE_HOME: join(profile, 'cache'),
      XDG_CONFIG_HOME: join(profile, 'config'),
    },
  };
}
