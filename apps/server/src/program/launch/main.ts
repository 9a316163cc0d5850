/**
 * The program a person starts: `main.ts start` (the demonstration) or `main.ts serve`. It runs no business itself; it
 * starts the database and one process a role, keeps them running, and ends them in good order.
 */
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { startEmbeddedDatabase } from '@keepwatch/embedded-database/embedded-database';
import { LaunchError } from './launch-error.ts';
import { type LaunchSettings, type Role, readLaunchSettings } from './launch-settings.ts';
import { type LaunchPlan, launch, type PlannedRole } from './launcher.ts';
import { isWorthShowing } from './postgres-log.ts';
import type { LaunchedDatabase } from './supervised-database.ts';

const PROGRAM = join(import.meta.dirname, '..');

function planFor(settings: LaunchSettings): LaunchPlan {
  return {
    openDatabase: (onExit) => openDatabase(settings, onExit),
    migrate: { name: 'The migration of the database', file: join(PROGRAM, 'migrate.ts'), args: [] },
    roles: settings.roles.map(plannedRole),
    environment: {
      ...process.env,
      KEEPWATCH_MODE: settings.mode,
      DATA_DIR: settings.dataDir,
      EMBEDDED_DATABASE: String(settings.databaseUrl === undefined),
    },
    restart: { firstPauseMs: 500, quickDeathMs: 60_000, quickDeathsMax: 5 },
    stopLimitMs: 4_000,
  };
}

/** Worker and api read the console of the sandbox: while they end, it answers. */
function plannedRole(role: Role): PlannedRole {
  return { name: role, file: join(PROGRAM, 'role.ts'), args: [role], outlivesOthers: role === 'sandbox' };
}

async function openDatabase(settings: LaunchSettings, onExit: (how: string) => void): Promise<LaunchedDatabase> {
  const { databaseUrl, dataDir, showDatabaseLog } = settings;
  if (databaseUrl !== undefined) return { url: databaseUrl, restart: nothing, stop: nothing };
  const log = (line: string) => {
    if (showDatabaseLog || isWorthShowing(line)) report(line);
  };
  return startEmbeddedDatabase({ dataDir, log, onExit });
}

/** A server that is not ours is neither started nor stopped. */
async function nothing(): Promise<void> {}

function report(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function main(): Promise<number> {
  const settings = readLaunchSettings(process.argv.slice(2), process.env);
  const print = (line: string) => process.stdout.write(`${line}\n`);
  return launch(planFor(settings), { signals: process, now: () => performance.now(), print, report });
}

try {
  process.exit(await main());
} catch (error) {
  report(error instanceof LaunchError ? error.message : String(error instanceof Error ? error.stack : error));
  process.exit(1);
}
