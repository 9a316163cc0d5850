import { type Log, openLog } from '../foundation/log.ts';
import { readSettings, type Settings } from '../foundation/settings.ts';
import type { RunningRole } from './running-role.ts';
import { startFailure } from './start-failure.ts';

/** Where a role's process begins: `node role.ts api|worker|sandbox`. It reports to the launcher when it is ready. */
const STARTS = {
  api: async () => (await import('./api.ts')).startApi,
  worker: async () => (await import('./worker.ts')).startWorker,
  sandbox: async () => (await import('./sandbox.ts')).startSandboxVendors,
} satisfies Record<string, () => Promise<(settings: Settings, log: Log) => Promise<RunningRole>>>;

/** The launcher kills a role that takes longer; when the launcher itself is gone, no other process would. */
const STOP_LIMIT_MS = 5_000;

const name = process.argv[2] ?? '';
if (!isRoleName(name)) exitWith(`There is no role "${name}". Roles are api, worker and sandbox.`);
else await run(name);

async function run(role: keyof typeof STARTS): Promise<void> {
  try {
    const settings = readSettings(process.env);
    const log = openLog(settings.LOG_LEVEL, role);
    const started = await (await STARTS[role]())(settings, log);
    stopOnSignal(started, log);
    process.send?.({ ready: true, lines: started.lines });
  } catch (error) {
    exitWith(startFailure(role, error));
  }
}

function stopOnSignal(role: RunningRole, log: Log): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    await role.stop().catch((error) => log.error({ err: error }, 'stopping failed'));
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // The launcher is gone without having asked us to stop: it was killed.
  process.on('disconnect', stop);
}

function isRoleName(text: string): text is keyof typeof STARTS {
  return text in STARTS;
}

function exitWith(line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}
