import { rm } from 'node:fs/promises';
import { listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { sessionOf, signIn } from '@keepwatch/contract/identity/sessions';
import { listRepositories } from '@keepwatch/contract/inventory/repositories';
import { request, type Transport } from '@keepwatch/contract/wire/client';
import { makeTemporaryFolder } from '@keepwatch/embedded-database/temporary-folder';
import { expect } from '@playwright/test';
import { daysAgo } from './days-ago.ts';
import { startHugePortal } from './huge-portal.ts';
import { startMicrosoft365Portal } from './microsoft365-portal.ts';
import { freePort, type RunningPortal, startPortal } from './running-portal.ts';

/**
 * Three portals for all journeys: the demonstration over its sandbox, the same with its Microsoft 365, and one with a huge database.
 * `PORTALS=huge` or `PORTALS=demonstration,microsoft365` starts some alone: what is timed runs while nothing else does.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const requested = (process.env['PORTALS'] ?? 'huge,microsoft365,demonstration').split(',');
  const portals: RunningPortal[] = [];
  const folders: string[] = [];
  const open = async (name: string, start: (folder: string) => Promise<RunningPortal>): Promise<string> => {
    const folder = await makeTemporaryFolder(`keepwatch-${name}-`);
    folders.push(folder);
    const portal = await start(folder);
    portals.push(portal);
    return portal.url;
  };
  const close = async () => {
    await Promise.all(portals.map((portal) => portal.stop()));
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  };
  try {
    if (requested.includes('huge')) process.env['HUGE_PORTAL_URL'] = await open('huge', startHugePortal);
    // Its past is made while the others start and are used.
    if (requested.includes('microsoft365'))
      process.env['MICROSOFT365_PORTAL_URL'] = await open('microsoft365', startMicrosoft365Portal);
    if (!requested.includes('demonstration')) return close;
    const smsPort = String(await freePort());
    process.env['PHONE_URL'] = `http://127.0.0.1:${smsPort}/__sandbox`;
    process.env['PORTAL_URL'] = await open('demonstration', (folder) =>
      startPortal('start', { DATA_DIR: folder, SANDBOX_SMS_PORT: smsPort }),
    );
    await newestRuns(process.env['PORTAL_URL']);
    return close;
  } catch (error) {
    await close();
    throw error;
  }
}

/** Waits until the newest days of the sandbox's provider are read; the rest of its history is still being read then. */
async function newestRuns(origin: string): Promise<void> {
  const anonymous: Transport = { fetch, origin, token: () => null };
  const body = { username: 'operator', password: 'keepwatch-demo' };
  const { token } = sessionOf(await request(anonymous, signIn, { body }));
  const transport: Transport = { ...anonymous, token: () => token };
  const query = { from: daysAgo(2), to: daysAgo(1), filter: { state: 'all', type: ['Failed'] } } as const;
  const failures = async () =>
    (
      await request(transport, listJobExecutions, {
        query: { ...query, filter: { ...query.filter, type: ['Failed'] } },
      })
    ).count;
  await expect.poll(failures, { timeout: 420_000, intervals: [1_000] }).toBeGreaterThan(12);
  const repositories = async () => (await request(transport, listRepositories, {})).count;
  await expect.poll(repositories, { timeout: 420_000, intervals: [2_000] }).toBeGreaterThan(0);
}
