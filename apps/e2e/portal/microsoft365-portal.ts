import { sessionOf, signIn } from '@keepwatch/contract/identity/sessions';
import { listM365Jobs, readLatestSession, startM365Job } from '@keepwatch/contract/microsoft365/jobs';
import { editRestoreRole, listRestoreRoles } from '@keepwatch/contract/restore/roles';
import { request, type Transport } from '@keepwatch/contract/wire/client';
import { expect } from '@playwright/test';
import { PASSWORD } from './person.ts';
import { freePort, type RunningPortal, startPortal } from './running-portal.ts';

/** A demonstration with its Microsoft 365, which the portal of the other journeys does without: backups would be in their way. */
export async function startMicrosoft365Portal(dataDir: string): Promise<RunningPortal> {
  const port = await freePort();
  const portal = await startPortal('start', { DATA_DIR: dataDir, SANDBOX_TENANT_PORT: String(port) });
  process.env['TENANTS_URL'] = `http://127.0.0.1:${port}`;
  return portal;
}

/** Addresses of that portal, and of the tenants of the sandbox (see global-setup.ts). */
export const microsoft365 = () => process.env['MICROSOFT365_PORTAL_URL'] ?? '';
export const tenantsUrl = () => process.env['TENANTS_URL'] ?? '';

/** Nights of restore points that the demonstration makes in the background (docs/decisions/0050). */
const NIGHTS = 21;
const BACKGROUND_MS = 540_000;

/** Waits until the past of the demonstration's organization is there: its job ends it when it is started before. */
export async function untilHistoryEnds(): Promise<void> {
  const transport = await signedIn();
  const nights = async () => {
    // It is made once the portal is up.
    const [job] = (await request(transport, listM365Jobs, {})).data;
    if (job === undefined) return 0;
    const { restorePoints, lastSession } = job;
    return lastSession?.status === 'Running' ? restorePoints - 1 : restorePoints;
  };
  await expect.poll(nights, { timeout: BACKGROUND_MS, intervals: [1_000] }).toBeGreaterThanOrEqual(NIGHTS);
}

/** Runs the demonstration's job as a person starts it, and waits until it has ended well. At ten in the evening it may run already. */
export async function backUp(): Promise<void> {
  const transport = await signedIn();
  const { id: jobId, organizationId } = await onlyJob(transport);
  const start = () => request(transport, startM365Job, { params: { jobId }, body: { organizationId } });
  let data = { sessionId: '' };
  await expect(async () => {
    data = (await start()).data;
  }).toPass({ timeout: BACKGROUND_MS, intervals: [1_000] });
  const state = async () => {
    const { data: session } = await request(transport, readLatestSession, { params: { jobId } });
    return session?.id === data.sessionId ? session.status : 'not begun';
  };
  await expect.poll(state, { timeout: BACKGROUND_MS, intervals: [500] }).toBe('Success');
}

interface Chosen {
  id: string;
  displayName?: string;
}

/** Lets the demonstration's restore operator restore some people alone: what an administrator selects less what is excluded. */
export async function limitOperator(people: {
  selected: readonly Chosen[];
  excluded: readonly Chosen[];
}): Promise<void> {
  const transport = await signedIn();
  const { data } = await request(transport, listRestoreRoles, {});
  const [role] = data;
  if (role === undefined) throw new Error('The demonstration has no restore operator role.');
  const itemsOf = (some: readonly Chosen[]) =>
    some.map(({ id, displayName = '' }) => ({ type: 'User' as const, id, name: displayName }));
  const { name, operators } = role;
  const body = {
    ...{ name, roleType: 'SpecificObjects' as const, operators: operators.map(({ id }) => ({ id })) },
    ...{ selectedItems: itemsOf(people.selected), excludedItems: itemsOf(people.excluded) },
  };
  await request(transport, editRestoreRole, { params: { opRoleId: role.id }, body });
}

async function signedIn(): Promise<Transport> {
  const anonymous: Transport = { fetch, origin: microsoft365(), token: () => null };
  const body = { username: 'm365', password: PASSWORD };
  const { token } = sessionOf(await request(anonymous, signIn, { body }));
  return { ...anonymous, token: () => token };
}

async function onlyJob(transport: Transport) {
  const { data } = await request(transport, listM365Jobs, {});
  const [job] = data;
  if (job === undefined) throw new Error('The demonstration has no job of Microsoft 365.');
  return job;
}
