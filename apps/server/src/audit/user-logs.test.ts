import type { AuditAction } from '@keepwatch/contract/audit/actions';
import { exportUserLogs, LOG_COUNT_MAX, listUserLogs } from '@keepwatch/contract/audit/user-logs';
import { createCompany } from '@keepwatch/contract/companies/companies';
import { editJobExecution } from '@keepwatch/contract/executions/job-executions';
import { signIn } from '@keepwatch/contract/identity/sessions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute } from '../foundation/database.ts';
import { newId } from '../foundation/secrets.ts';
import { buildCompany, buildExecution, buildJob } from '../testing/builders.ts';
import { daysAgo } from '../testing/report-builders.ts';
import { type Caller, PASSWORD, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';

let portal: TestPortal;
let admin: Caller;

beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.as('admin');
});
afterAll(() => portal.stop());

describe('GET reporting/users/logs', () => {
  it('200: says who did what to what, from where, and what changed', async () => {
    const operator = await portal.as('operator');
    const job = await buildJob(portal.database, { name: 'Mail' });
    const execution = await buildExecution(portal.database, job);
    await operator.call(editJobExecution, { params: { id: execution }, body: { state: 'resolved' } });
    const { count, data } = await admin.call(listUserLogs, { query: { userIds: operator.userId } });
    expect(count).toBe(1);
    expect(data).toEqual([
      {
        _id: expect.any(String),
        at: TEST_NOW.toISOString(),
        userId: operator.userId,
        username: operator.username,
        asUserId: null,
        asUsername: null,
        apiKey: null,
        action: 'job-execution.edit',
        actionText: 'Run changed',
        targetKind: 'job-execution',
        targetId: execution,
        targetName: 'Mail',
        address: '127.0.0.1',
        before: expect.objectContaining({ state: 'pending' }),
        after: { state: 'resolved' },
      },
    ]);
    expect((await admin.call(listUserLogs, { query: { ids: data[0]?._id ?? '' } })).data).toEqual(data);
    expect((await admin.call(listUserLogs, { query: { targetIds: execution } })).data).toEqual(data);
  });

  it('200: has entries of what was removed, of refused sign-ins, and of actions that are not known any more', async () => {
    const username = 'no such user';
    await portal.anonymous.send(signIn, { body: { username, password: PASSWORD } });
    const refused = await admin.call(listUserLogs, { query: { search: 'NO SUCH' } });
    expect(refused.data).toMatchObject([{ userId: null, username, actionText: 'Sign-in refused', targetKind: null }]);
    const targetId = newId();
    await buildLog({ action: 'balloon.inflate' as AuditAction, target: { kind: 'company', id: targetId } });
    const { data } = await admin.call(listUserLogs, { query: { targetIds: targetId } });
    expect(data).toMatchObject([{ actionText: 'balloon.inflate', targetKind: 'company', targetName: null }]);
  });

  it('200: narrows by time, action and text, and sorts by time, user and action', async () => {
    const targetId = newId();
    const target = { kind: 'source', id: targetId };
    await buildLog({ target, at: daysAgo(40), username: 'adam', action: 'source.edit' });
    await buildLog({ target, at: daysAgo(39), username: 'Berta', action: 'source.create' });
    await buildLog({ target, at: daysAgo(38), username: 'carl', action: 'source.edit', address: '10.1.2.3' });
    const names = async (query: object) => {
      const { data } = await admin.call(listUserLogs, { query: { targetIds: targetId, ...query } });
      return data.map(({ username }) => username);
    };
    expect(await names({})).toEqual(['carl', 'Berta', 'adam']);
    expect(await names({ sort: 'at' })).toEqual(['adam', 'Berta', 'carl']);
    expect(await names({ sort: 'username' })).toEqual(['adam', 'Berta', 'carl']);
    expect(await names({ sort: '-username', limit: 1, offset: 1 })).toEqual(['Berta']);
    expect(await names({ sort: 'action' })).toEqual(['Berta', 'carl', 'adam']);
    expect(await names({ sort: '-action' })).toEqual(['carl', 'adam', 'Berta']);
    expect(await names({ from: daysAgo(39.5).toISOString(), to: daysAgo(38.5).toISOString() })).toEqual(['Berta']);
    expect(await names({ actions: ['source.create'] })).toEqual(['Berta']);
    expect(await names({ search: 'source connected' })).toEqual(['Berta']);
    expect(await names({ search: '10.1.2' })).toEqual(['carl']);
  });

  it('200: shows a user who is limited to companies what others did who were limited to these at the time, and nothing else', async () => {
    const [mine, other] = [await buildCompany(portal.database), await buildCompany(portal.database)];
    const limited = await portal.as('admin', { companyIds: [mine] });
    const seen = await buildLog({ companyIds: [mine] });
    const unseen = [{ companyIds: [mine, other] }, { companyIds: [other] }, { companyIds: [] }, { companyIds: null }];
    for (const given of [...unseen, { companyIds: [mine], providerId: 2 }]) await buildLog(given);
    const { count, data } = await limited.call(listUserLogs, {});
    expect([count, data.map(({ _id }) => _id)]).toEqual([1, [seen]]);
  });

  it('200: records what the user is limited to, also of a sign-in', async () => {
    const companyIds = [await buildCompany(portal.database)];
    const colleague = await portal.as('admin', { companyIds });
    const person = await portal.as('operator', { companyIds });
    const execution = await buildExecution(
      portal.database,
      await buildJob(portal.database, { companyId: companyIds[0] }),
    );
    await portal.anonymous.call(signIn, { body: { username: person.username, password: PASSWORD } });
    await person.call(editJobExecution, { params: { id: execution }, body: { state: 'resolved' } });
    await admin.call(createCompany, { body: { name: 'Beyond reach' } });
    const { data } = await colleague.call(listUserLogs, { query: { sort: 'action' } });
    expect(data.map(({ action }) => action)).toEqual(['job-execution.edit', 'session.sign-in']);
  });

  it('200: counts to a bound', async () => {
    await execute(
      portal.database,
      sql`insert into audit_entries (provider_id, id, at, username, action)
          select 2, gen_random_uuid(), ${TEST_NOW}::timestamptz - make_interval(secs => n), 'user ' || n % 50, 'session.sign-in'
          from generate_series(1, ${LOG_COUNT_MAX + 10}) n`,
    );
    const other = await portal.as('admin', { providerId: 2 });
    expect(await other.call(listUserLogs, { query: { limit: 1 } })).toMatchObject({ count: LOG_COUNT_MAX });
  });

  it('422: refuses an action that is none', async () => {
    expect((await admin.raw('GET', '/api/reporting/users/logs?actions=company.paint')).status).toBe(422);
  });
});

describe('GET reporting/users/logs/export', () => {
  it('200: streams the entries of the list as CSV, and records that', async () => {
    const username = `exported ${newId()}`;
    await buildLog({ username, action: 'session.sign-out', address: '192.0.2.7' });
    await buildLog({ username, action: 'balloon.inflate' as AuditAction, address: '=cmd()' });
    await buildLog({ username, providerId: 2 });
    await portal.anonymous.send(signIn, { body: { username, password: PASSWORD } });
    const query = { search: username, sort: '-action' } as const;
    const response = await admin.send(exportUserLogs, { query });
    expect(response.headers.get('content-disposition')).toMatch(/filename="UsersLogs-[\dT-]{19}Z\.csv"/);
    const time = TEST_NOW.toISOString();
    expect((await response.text()).split('\r\n')).toEqual([
      'Time (UTC),User,As user,API key,Action,Kind,Name,Id,Address,Before,After',
      `${time},${username},,,Signed out,,,,192.0.2.7,,`,
      expect.stringMatching(`^${time},${username},,,Sign-in refused,,,,127.0.0.1,,`),
      `${time},${username},,,balloon.inflate,,,,'=cmd(),,`,
      '',
    ]);
    const { data } = await admin.call(listUserLogs, { query: { actions: ['user-log.export'] } });
    expect(data).toMatchObject([{ username: admin.username, after: query }]);
  });

  it('200: has the change of an entry as JSON, and the name of its target', async () => {
    const execution = await buildExecution(portal.database, await buildJob(portal.database, { name: 'Mail, all' }));
    const operator = await portal.as('operator');
    await operator.call(editJobExecution, { params: { id: execution }, body: { state: 'resolved' } });
    const csv = await admin.call(exportUserLogs, { query: { targetIds: execution } });
    expect(csv).toContain(
      `,Run changed,job-execution,"Mail, all",${execution},127.0.0.1,"{""_id"":""${execution}"",""state"":""pending""`,
    );
    expect(csv).toMatch(/,"\{""state"":""resolved""\}"\r\n$/);
  });
});

interface BuiltLog {
  providerId?: number;
  at?: Date;
  username?: string;
  action?: AuditAction;
  target?: { kind: string; id: string };
  address?: string;
  companyIds?: readonly string[] | null;
}

async function buildLog(given: BuiltLog): Promise<string> {
  const id = newId();
  const { providerId = 1, at = TEST_NOW, username = 'some-user', action = 'source.edit', target, address } = given;
  await execute(
    portal.database,
    sql`insert into audit_entries (provider_id, id, at, username, action, target_kind, target_id, address, company_ids)
        values (${providerId}, ${id}, ${at}, ${username}, ${action}, ${target?.kind ?? null}, ${target?.id ?? null}, ${address ?? null},
          ${sql.param(given.companyIds ?? null)}::uuid[])`,
  );
  return id;
}
