import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signIn } from '@keepwatch/contract/identity/sessions';
import { getLastSync } from '@keepwatch/contract/monitoring/sources';
import { request } from '@keepwatch/contract/wire/client';
import { expect } from '@playwright/test';
import { startHugePortal } from './huge-portal.ts';
import { startPortal } from './running-portal.ts';

/** Two portals for all journeys: the demonstration over its sandbox, and one with a huge database. */
export default async function setup(): Promise<() => Promise<void>> {
  const folders = await Promise.all(
    ['demonstration', 'huge'].map((name) => mkdtemp(join(tmpdir(), `keepwatch-${name}-`))),
  );
  const [demonstrationFolder = '', hugeFolder = ''] = folders;
  const demonstration = await startPortal('start', { DATA_DIR: demonstrationFolder });
  const huge = await startHugePortal(hugeFolder);
  process.env['PORTAL_URL'] = demonstration.url;
  process.env['HUGE_PORTAL_URL'] = huge.url;
  await firstSync(demonstration.url);
  return async () => {
    await Promise.all([demonstration.stop(), huge.stop()]);
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  };
}

/** Waits until the sandbox's provider has been read once. */
async function firstSync(origin: string): Promise<void> {
  const { token } = await request({ fetch, origin, token: () => null }, signIn, {
    body: { username: 'operator', password: 'keepwatch-demo' },
  });
  const status = async () => (await request({ fetch, origin, token: () => token }, getLastSync, {})).status;
  await expect.poll(status, { timeout: 240_000, intervals: [1_000] }).toMatch(/SUCCEEDED|PARTIAL/);
}
