import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedDatabase } from '@keepwatch/embedded-database/embedded-database';
import { makeTemporaryFolder } from '@keepwatch/embedded-database/temporary-folder';
import type { RunningTenant } from '@keepwatch/sandbox/microsoft365/server';
import { openPool, type Pool } from '@keepwatch/server/foundation/database';
import { migrateDatabase } from '@keepwatch/server/foundation/migrations';
import { secretBox } from '@keepwatch/server/foundation/secrets';
import { startApi } from '../monitoring/bench-portal.ts';
import { OptionsError } from '../monitoring/options.ts';
import { PortalConnection, wireGet } from '../monitoring/portal-connection.ts';
import { beginTable, ms } from '../table.ts';
import { Targets } from '../targets.ts';
import { timed, timingOf } from '../timing.ts';
import { backUpTenant } from './backed-up.ts';
import {
  type BenchOrganization,
  buildCompany,
  buildOrganization,
  buildRepository,
  openBenchSession,
} from './bench-organization.ts';
import { startWideTenants } from './bench-tenant.ts';
import { environmentOf, type PortalBench, SECRET } from './environment.ts';
import { type MeasuredPage, pickerPages, searchPages, treePages } from './first-pages.ts';
import { openSessions } from './sessions.ts';
import { benchWorkers } from './workers.ts';

const PORT = 8_791;
const ITEMS = 1_000_000;
const ROUNDS = 20;
const P95_MS_MAX = 200;
const WIDTHS = [40, 10, 14];
const PARTS = ['pages', 'workers'] as const;

/**
 * `npm run bench -- portal [--only pages|workers] [--items 1000000]`: the Microsoft 365 application of large organizations, through HTTP: pickers,
 * trees and search, and then how much of the work a second worker takes.
 * @throws OptionsError
 */
export async function benchPortal(given: readonly string[]): Promise<Targets> {
  const { only, items } = optionsOf(given);
  const targets = new Targets();
  if (only !== 'workers') await withBench((bench) => benchPages(bench, items, targets));
  if (only !== 'pages') await withBench((bench) => benchWorkers(bench, secretBox(SECRET), targets));
  return targets;
}

function optionsOf(given: readonly string[]): { only: string | undefined; items: number } {
  const options = { only: { type: 'string' }, items: { type: 'string' } } as const;
  const { only, items = String(ITEMS) } = parseArgs({ args: [...given], options }).values;
  if (only !== undefined && !PARTS.some((part) => part === only))
    throw new OptionsError(`--only ${only}: there are ${PARTS.join(' and ')}.`);
  if (/^\d{6,8}$/.test(items)) return { only, items: Number(items) };
  throw new OptionsError(`--items ${items}: a whole number from 100000 on.`);
}

async function withBench(work: (bench: PortalBench) => Promise<void>): Promise<void> {
  const folder = await makeTemporaryFolder('keepwatch-bench-', process.env['BENCH_DIR']);
  const database = await startEmbeddedDatabase({ dataDir: join(folder, 'database'), log: () => {} });
  try {
    await migrateDatabase(database.url);
    const pool = openPool(database.url, { connectionsMax: 4, statementTimeoutMs: 0, name: 'bench' });
    await work({ pool, databaseUrl: database.url, folder });
    await pool.end();
  } finally {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function benchPages(bench: PortalBench, items: number, targets: Targets): Promise<void> {
  const tenant = await startWideTenants(ROUNDS);
  const { pool, databaseUrl, folder } = bench;
  const organizations = await organizationsOf(pool, tenant);
  const [first] = organizations;
  if (first === undefined) throw new Error('There is no organization.');
  const buildMs = await timed(async () => {
    const backedUp = await backUpTenant(folder, databaseUrl, tenant.tenantId, items);
    await buildRepository(pool, secretBox(SECRET), first, backedUp);
  });
  process.stdout.write(`${items.toLocaleString('en')} items built in ${(buildMs / 1_000).toFixed(0)} s\n`);
  const api = await startApi(databaseUrl, folder, PORT, environmentOf(tenant));
  try {
    const token = await openBenchSession(pool);
    const opened = await openSessions(`http://127.0.0.1:${PORT}`, token, first);
    const pickers = pickerPages(organizations.map(({ id }) => id));
    await measure(token, [...pickers, ...treePages(opened), ...searchPages(opened)], targets);
  } finally {
    await api.stop();
    await tenant.stop();
  }
}

/** One for each round, so that what a round before has read is not at hand. */
async function organizationsOf(pool: Pool, tenant: RunningTenant): Promise<BenchOrganization[]> {
  const companyId = await buildCompany(pool);
  return Promise.all(tenant.all.map((access) => buildOrganization(pool, secretBox(SECRET), companyId, access)));
}

async function measure(token: string, pages: readonly MeasuredPage[], targets: Targets): Promise<void> {
  const connection = await PortalConnection.open(PORT);
  const print = beginTable(`Target: p95 at most ${P95_MS_MAX} ms`, ['through HTTP, in ms', 'median', 'p95'], WIDTHS);
  for (const { group, name, address } of pages) {
    const durations: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      durations.push(await timed(() => requireAnswer(connection, address(round), token)));
    const { medianMs, p95Ms } = timingOf(durations);
    print([`${group}: ${name}`, ms(medianMs), targets.evaluated(`${group}: ${name}`, ms(p95Ms), p95Ms <= P95_MS_MAX)]);
  }
  connection.close();
}

async function requireAnswer(connection: PortalConnection, address: string, token: string): Promise<void> {
  const status = await connection.send(wireGet(address, token));
  if (status !== 200) throw new Error(`${address} was answered with ${status}.`);
}
