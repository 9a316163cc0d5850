import { resolve } from 'node:path';
import { publicSetting } from '../../foundation/local-address.ts';
import { readSettings, type Settings, WrongSettings } from '../../foundation/settings.ts';
import { LaunchError } from './launch-error.ts';

/** `start` is the demonstration (sandbox vendors and demonstration data), `serve` the same without it. */
export type Mode = 'start' | 'serve';

/** What one process does. */
export type Role = Settings['ROLES'][number];

/** What the launcher itself goes by. `databaseUrl` undefined: the embedded database. `dataDir` is absolute. */
export type LaunchSettings = {
  mode: Mode;
  roles: Role[];
  dataDir: string;
  databaseUrl: string | undefined;
  showDatabaseLog: boolean;
};

/** The sandbox first, so that the portal's first synchronisation finds its vendors. */
const START_ORDER: Role[] = ['sandbox', 'api', 'worker'];

/**
 * Reads the mode from the arguments and the settings from the environment. All settings are checked here, also those
 * only a role uses, so that a wrong one stops the start before anything runs.
 * @throws LaunchError with one line that names the variable, what was given and what is accepted
 */
export function readLaunchSettings(args: string[], environment: NodeJS.ProcessEnv): LaunchSettings {
  const mode = parseMode(args);
  const settings = readCheckedSettings(environment);
  if (mode === 'start') requireLocalDemonstration(settings);
  return {
    mode,
    roles: START_ORDER.filter((role) => settings.ROLES.includes(role) && isPossible(role, mode, environment)),
    dataDir: resolve(settings.DATA_DIR),
    databaseUrl: settings.DATABASE_URL === '' ? undefined : settings.DATABASE_URL,
    showDatabaseLog: settings.LOG_LEVEL === 'debug' || settings.LOG_LEVEL === 'trace',
  };
}

function parseMode(args: string[]): Mode {
  const [mode, ...rest] = args;
  if ((mode === 'start' || mode === 'serve') && rest.length === 0) return mode;
  throw new LaunchError(`Cannot start with "${args.join(' ')}": use npm start (demonstration) or npm run serve.`);
}

function readCheckedSettings(environment: NodeJS.ProcessEnv): Settings {
  try {
    return readSettings(environment);
  } catch (error) {
    throw error instanceof WrongSettings ? new LaunchError(error.message, { cause: error }) : error;
  }
}

/** Everyone can read the password of the demonstration's accounts: others reach them only where that is explicitly allowed. */
function requireLocalDemonstration(settings: Settings): void {
  const setting = settings.DEMONSTRATION_IN_PUBLIC ? null : publicSetting(settings);
  if (setting === null) return;
  throw new LaunchError(
    `${setting}, and everyone can read the password of the demonstration's accounts: others could sign in. ` +
      'Use npm run serve for a portal of your own, leave the setting out, or set DEMONSTRATION_IN_PUBLIC=true.',
  );
}

/** `serve` leaves the sandbox out where nothing was said, and refuses it where it was asked for. */
function isPossible(role: Role, mode: Mode, { ROLES }: NodeJS.ProcessEnv): boolean {
  if (role !== 'sandbox' || mode === 'start') return true;
  if (ROLES === undefined) return false;
  throw new LaunchError(
    `ROLES is "${ROLES}", but the sandbox belongs to the demonstration: leave it out, or use npm start.`,
  );
}
