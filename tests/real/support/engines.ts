// engines.ts - the command that starts each browser with a profile.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { findFirefox, findMiniBrowser } from '../../../scripts/lib/browsers.mjs';
import { chromiumLaunchOptions } from '../../../scripts/lib/chromium.mjs';
import { isWhole } from '../../../scripts/test/tier.mjs';
import { forgetProtocol, openTabs } from './chromium.js';
import { display } from './display.js';

export type EngineName = 'chromium' | 'firefox' | 'webkit';

/** The engines that this tier tests. */
export const ENGINES: readonly EngineName[] = isWhole()
  ? ['chromium', 'firefox', 'webkit']
  : ['chromium'];

/**
 * Where tests can use the origin private file system. WebKitGTK (2.50) has no access handles,
 * unlike Safari.
 */
export const ENGINES_WITH_OPFS = ENGINES.filter((engine) => engine !== 'webkit');

/** A program, its parameters and its environment. */
export interface Command {
  readonly program: string;
  readonly parameters: readonly string[];
  readonly env: Readonly<Record<string, string>>;

  /** Opens the addresses that are not among the parameters, after the start. */
  readonly openMore?: () => Promise<unknown>;
}

/** The command that opens a tab for each address in a browser with this profile. */
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
    // Without a screen it takes only one address.
    openMore: () => openTabs(profile, urls.slice(1)),
  };
}

const FIREFOX_SETTINGS = {
  // No tabs of the time before a kill, and no safe mode after several kills.
  'browser.sessionstore.resume_from_crash': false,
  'toolkit.startup.max_resumed_crashes': -1,
  'browser.startup.page': 0,
  // No requests but those of the tests.
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
