import { listRestoreMailboxes, restoreMailboxToAnother } from '@keepwatch/contract/restore/mailboxes';
import { confirmRestoreCode, openRestoreSession, requestRestoreCode } from '@keepwatch/contract/restore/sessions';
import { type RunningTenant, startTenant } from '@keepwatch/sandbox/microsoft365/server';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute } from '../../foundation/database.ts';
import { type BuiltOrganization, buildOwnOrganization } from '../../testing/microsoft365-builders.ts';
import { addressesOf, type Caller, startTestPortal, type TestPortal } from '../../testing/test-portal.ts';
import { type RestoreBed, startRestoreBed } from '../testing/restore-bed.ts';

describe('the device code of a restore, at Microsoft itself', () => {
  let tenant: RunningTenant;
  let portal: TestPortal;
  let caller: Caller;
  let organization: BuiltOrganization;

  beforeAll(async () => {
    tenant = await startTenant({ size: 'small', tenants: 2 });
    portal = await startTestPortal(undefined, { microsoft: addressesOf(tenant.url) });
    organization = await buildOwnOrganization(portal.database, { tenantId: tenant.tenantId });
  });
  afterAll(async () => {
    await portal.stop();
    await tenant.stop();
  });
  beforeEach(async () => {
    portal.clock.now = new Date();
    caller = await portal.as('o365_admin');
  });

  const where = () => ({ companyId: organization.companyId, organizationId: organization.id });

  async function newCode(): Promise<string> {
    return (await caller.call(requestRestoreCode, { body: where() })).data.userCode;
  }

  async function answerTo(userCode: string, by = caller) {
    const response = await by.send(confirmRestoreCode, { body: { ...where(), userCode } });
    return { status: response.status, ...(await response.json()) };
  }

  it('confirms an administrator, who keeps the role when the same code is asked for again', async () => {
    const userCode = await newCode();
    tenant.settleDeviceCode(userCode, `admin@${tenant.domain}`);
    expect(await answerTo(userCode)).toMatchObject({ status: 200, data: { role: 'administrator' } });
    expect(await answerTo(userCode)).toMatchObject({ status: 200, data: { role: 'administrator' } });
  });

  it('says that it was declined, and that it has expired, and what to do', async () => {
    const declined = await newCode();
    tenant.settleDeviceCode(declined);
    const refused = { status: 409, code: 'DEVICE_CODE_DECLINED', message: expect.stringMatching(/Get a new code/) };
    expect(await answerTo(declined)).toMatchObject(refused);
    const expired = await newCode();
    portal.clock.now = new Date(Date.now() + 16 * 60_000);
    expect(await answerTo(expired)).toMatchObject({ status: 409, code: 'DEVICE_CODE_EXPIRED' });
  });

  it('does not confirm a person of another tenant', async () => {
    const userCode = await newCode();
    const [, other] = tenant.all;
    tenant.settleDeviceCode(userCode, `admin@${other?.domain}`);
    const answer = await answerTo(userCode);
    expect(answer.status).toBe(409);
    expect(answer.message).toMatch(/\w+/);
  });

  it('is of the user and the organization that it was asked for', async () => {
    const userCode = await newCode();
    tenant.settleDeviceCode(userCode, `admin@${tenant.domain}`);
    expect((await answerTo(userCode, await portal.as('o365_admin'))).status).toBe(404);
    const elsewhere = await buildOwnOrganization(portal.database, { tenantId: tenant.all[1]?.tenantId ?? '' });
    const body = { companyId: elsewhere.companyId, organizationId: elsewhere.id, userCode };
    expect((await caller.send(confirmRestoreCode, { body })).status).toBe(404);
    const mixed = { ...body, companyId: organization.companyId };
    expect((await caller.send(confirmRestoreCode, { body: mixed })).status).toBe(404);
  });
});

describe('a proof', () => {
  let bed: RestoreBed;
  beforeAll(async () => {
    bed = await startRestoreBed({ users: 2 });
  });
  afterAll(() => bed.stop());

  it('of one organization is none for another, nor after it has ended', async () => {
    const caller = await bed.as('o365_admin');
    const { id: organizationId, companyId } = bed.organization;
    const elsewhere = await buildOwnOrganization(bed.services.database);
    await execute(
      bed.services.database,
      sql`insert into restore_sign_ins (provider_id, user_id, organization_id, company_id, user_code, secret, interval_ms, next_ask_at, expires_at, account, account_id, role)
          values (1, ${caller.userId}, ${elsewhere.id}, ${elsewhere.companyId}, 'CODE', '\\x00', 5000, now(), now() + interval '1 hour', 'a@x.test', 'a', 'administrator'),
                 (1, ${caller.userId}, ${organizationId}, ${companyId}, 'PAST', '\\x00', 5000, now(), now() - interval '1 second', 'a@x.test', 'a', 'administrator')`,
    );
    const datetime = new Date(Date.now() + 60_000).toISOString();
    const body = { companyId, organizationId, datetime, sessionType: 'vex' as const };
    const { id: restoreSessionId, token } = (await caller.call(openRestoreSession, { body })).data;
    expect(token).toBeNull();
    const [mailbox] = (await caller.call(listRestoreMailboxes, { params: { restoreSessionId } })).data.results;
    const params = { restoreSessionId, mailboxId: mailbox?.id ?? '' };
    const refused = await caller.send(restoreMailboxToAnother, { params, body: { folder: 'Restored' } });
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'DEVICE_CODE_REQUIRED' }]);
  });
});
