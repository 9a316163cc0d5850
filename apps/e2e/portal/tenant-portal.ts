import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { signIn } from '@keepwatch/contract/identity/sessions';
import { listM365Jobs, readLatestSession, startM365Job } from '@keepwatch/contract/microsoft365/jobs';
import { request, type Transport } from '@keepwatch/contract/wire/client';
import { makeTemporaryFolder } from '@keepwatch/embedded-database/temporary-folder';
import { expect } from '@playwright/test';
import { freePort, startPortal } from './running-portal.ts';
import { openTenant, type Tenant } from './tenant.ts';

/** A demonstration with its Microsoft 365, which the portal of the other journeys does without: a backup would be in their way. */
export interface TenantPortal {
  url: string;
  tenant: Tenant;
  /** Runs the demonstration's job, and waits until it has ended well. */
  backUp(): Promise<void>;
  stop(): Promise<void>;
}

export async function startTenantPortal(): Promise<TenantPortal> {
  const folder = await makeTemporaryFolder('keepwatch-tenant-portal-');
  const port = await freePort();
  const portal = await startPortal('start', { DATA_DIR: join(folder, 'data'), SANDBOX_TENANT_PORT: String(port) });
  const stop = async () => {
    await portal.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const tenant = await openTenant(`http://127.0.0.1:${port}`);
    const transport = await signedIn(portal.url);
    // The first run begins with the portal.
    await runsToSuccess(transport);
    return { url: portal.url, tenant, backUp: () => backUp(transport), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function signedIn(origin: string): Promise<Transport> {
  const anonymous: Transport = { fetch, origin, token: () => null };
  const { token } = await request(anonymous, signIn, { body: { username: 'm365', password: 'keepwatch-demo' } });
  return { ...anonymous, token: () => token };
}

async function onlyJob(transport: Transport) {
  const { data } = await request(transport, listM365Jobs, {});
  const [job] = data;
  if (job === undefined) throw new Error('The demonstration has no job of Microsoft 365.');
  return job;
}

async function backUp(transport: Transport): Promise<void> {
  const { id: jobId, organizationId } = await onlyJob(transport);
  const { data } = await request(transport, startM365Job, { params: { jobId }, body: { organizationId } });
  await runsToSuccess(transport, data.sessionId);
}

/** Waits for a run, the first one unless another is named. */
async function runsToSuccess(transport: Transport, sessionId?: string): Promise<void> {
  const state = async () => {
    const { id: jobId } = await onlyJob(transport);
    const { data } = await request(transport, readLatestSession, { params: { jobId } });
    return data === null || (sessionId !== undefined && data.id !== sessionId) ? 'not begun' : data.status;
  };
  await expect.poll(state, { timeout: 240_000, intervals: [1_000] }).toBe('Success');
}
