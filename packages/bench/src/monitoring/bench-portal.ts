import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectors } from '@keepwatch/connectors/registry';
import { createUser } from '@keepwatch/server/directory/users';
import type { Pool } from '@keepwatch/server/foundation/database';
import { givenSecret } from '@keepwatch/server/foundation/installation-secret';
import { openLog } from '@keepwatch/server/foundation/log';
import { openMetrics } from '@keepwatch/server/foundation/metrics';
import type { Queue } from '@keepwatch/server/foundation/queue';
import { hashOfPassword, secretBox } from '@keepwatch/server/foundation/secrets';
import { openSession } from '@keepwatch/server/identity/sessions';
import { openStoredRepositories } from '@keepwatch/server/microsoft365/repositories/stored-repositories';
import { composeServer } from '@keepwatch/server/program/compose';
import { nodeFlagsOf } from '@keepwatch/server/program/launch/child-run';

const SERVER = join(import.meta.dirname, '../../../../apps/server/src/program/role.ts');

/** A session of a user of the first provider with every role. */
export async function openBenchSession(pool: Pool): Promise<string> {
  const passwordHash = await hashOfPassword('of no use');
  const user = { providerId: 1, username: 'bench', name: 'Bench', email: 'bench@example.test', passwordHash };
  const id = await createUser(pool, { ...user, roles: ['admin', 'operator', 'read-only'] });
  return openSession(pool, { providerId: 1, id }, new Date(), '');
}

/** A role of the product as it runs for real, in a process of its own. */
export interface RunningProcess {
  pid: number;
  /** The most memory it ever held, in bytes, as the kernel counts it. */
  memoryPeakBytes(): Promise<number>;
  stop(): Promise<void>;
}

export interface BenchApi extends RunningProcess {
  port: number;
}

/** Behind a proxy, which says from where a request is (portal-connection.ts). */
export async function startApi(
  databaseUrl: string,
  dataDir: string,
  port: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<BenchApi> {
  const ofApi = { PORT: String(port), TRUSTED_PROXIES: '1', ...environment };
  return { port, ...(await startRole('api', databaseUrl, dataDir, ofApi)) };
}

export async function startRole(
  role: 'api' | 'worker',
  databaseUrl: string,
  dataDir: string,
  environment: Readonly<Record<string, string>>,
): Promise<RunningProcess> {
  const child = spawn(process.execPath, [...nodeFlagsOf(role), SERVER, role], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      KEEPWATCH_MODE: 'serve',
      LOG_LEVEL: 'error',
      ...environment,
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await readiness(child);
  const { pid } = child;
  if (pid === undefined) throw new Error(`The ${role} has no process.`);
  return {
    pid,
    async memoryPeakBytes() {
      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1_024;
    },
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function readiness(child: ChildProcess): Promise<void> {
  const outcome = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => null)]);
  if (outcome === null) throw new Error('The program ended before it was ready.');
}

const NO_QUEUE: Queue = {
  send: async () => {},
  isAnswering: async () => true,
};

const NO_PLACES = { repositoryRoot: null, allowPrivateAddresses: false };

/** The same server inside this process: used to see which SQL each call sends. */
export function composeForRecording(database: Pool) {
  return composeServer({
    database,
    queue: NO_QUEUE,
    queueFigures: async () => ({ waiting: 0, running: 0, failed: 0, failing: [] }),
    log: openLog('silent', 'bench'),
    metrics: openMetrics('bench'),
    now: () => new Date(),
    demonstration: null,
    secrets: secretBox('bench'),
    secretSource: givenSecret('bench'),
    connectors,
    stored: openStoredRepositories({ databaseUrl: '', rules: NO_PLACES, queries: 1, pinned: 1 }),
    microsoft: { loginUrl: '', graphUrl: '', sharePointUrl: '', signInClientId: '' },
    dataDir: tmpdir(),
    isEmbedded: false,
    allowPrivateAddresses: true,
    publicUrl: 'http://localhost',
    trustedProxies: 0,
    countryHeader: '',
    requestsPerMinute: 1_000_000,
  });
}
