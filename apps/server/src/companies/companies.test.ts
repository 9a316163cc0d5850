import { ConnectorError } from '@keepwatch/connectors/base/connector-error';
import { Connectors } from '@keepwatch/connectors/base/registry';
import type { Ports } from '@keepwatch/connectors/ports/ports';
import {
  createCompany,
  deleteCompany,
  editCompany,
  exportCompanies,
  getCompany,
  listCompanies,
  listConsoleCompanies,
  restoreCompany,
} from '@keepwatch/contract/companies/companies';
import { listReportingCompanies } from '@keepwatch/contract/directory/companies';
import { getJobExecution, listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { createIntakeToken } from '@keepwatch/contract/tool-reports/tool-reports';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, row, rows } from '../foundation/database.ts';
import { manifestOf, WrittenSource } from '../sources/intake.fixture.ts';
import { buildCompany, buildConnection, buildExecution, buildJob } from '../testing/builders.ts';
import { buildOrganization } from '../testing/microsoft365-builders.ts';
import { daysAgo } from '../testing/report-builders.ts';
import { type Caller, startTestPortal, type TestPortal } from '../testing/test-portal.ts';
import type { CompanyEdit } from './company-changes.ts';

/** Consoles by their address. */
const CONSOLES = {
  North: consoleWith({ 'n-1': 'Harbour Freight', 'n-2': 'Bakery' }),
  South: consoleWith({ 's-1': 'Old harbour' }),
  Many: consoleWith(Object.fromEntries(Array.from({ length: 60 }, (_, number) => [`m-${number}`, 'One of many']))),
  Down: Object.assign(new WrittenSource(), {
    failures: { companies: new ConnectorError('not-reachable', 'The console cannot be reached.') },
  }),
};
const CONNECTORS = new Connectors<Ports>({
  'backup-source': {
    label: 'Backup source',
    kinds: {
      vac: {
        label: 'A console',
        load: async () => ({
          manifest: {
            ...manifestOf(new WrittenSource()),
            open: ({ url }) => new Map(Object.entries(CONSOLES)).get(url ?? '') ?? new WrittenSource(),
          },
        }),
      },
    },
  },
});

function consoleWith(companies: Readonly<Record<string, string>>): WrittenSource {
  const source = new WrittenSource();
  source.companies = Object.entries(companies).map(([externalId, name]) => ({
    value: { externalId, name, isActive: true, email: null, phone: null },
  }));
  return source;
}

let portal: TestPortal;
let admin: Caller;

beforeAll(async () => {
  portal = await startTestPortal(undefined, { connectors: CONNECTORS });
  admin = await portal.as('admin');
});
afterAll(() => portal.stop());

describe('GET companies', () => {
  it('200: lists companies with the status of their jobs', async () => {
    const id = await buildCompany(portal.database, { name: 'Miller & Sons', vacId: 'vac-1' });
    await buildJob(portal.database, { companyId: id, lastResult: 'Success', lastStartedAt: daysAgo(3) });
    await buildJob(portal.database, { companyId: id, lastResult: 'Success', overdueAt: daysAgo(1) });
    await buildJob(portal.database, { companyId: id, lastResult: 'Warning' });
    await buildJob(portal.database, { companyId: id, lastResult: 'Failed', isEnabled: false });
    const job = await buildJob(portal.database, { companyId: id, lastResult: 'Failed', lastStartedAt: daysAgo(1) });
    await buildExecution(portal.database, job, { startedAt: daysAgo(1) });
    await buildExecution(portal.database, job, { startedAt: daysAgo(2), state: 'resolved' });
    await buildExecution(portal.database, job, { startedAt: daysAgo(40) });

    const { data, count } = await admin.call(listCompanies, { query: { search: 'miller & s' } });
    expect(count).toBe(1);
    expect(data).toEqual([
      {
        _id: id,
        name: 'Miller & Sons',
        email: null,
        phone: null,
        isActive: true,
        isManaged: true,
        serviceProvider: 'Provider 1',
        applications: { vac: { id: 'vac-1' }, vcd: { id: null }, zerto: { id: null } },
        jobs: 5,
        disabledJobs: 1,
        failed: 1,
        warning: 1,
        didntRun: 1,
        doubtful: 0,
        pending: 1,
        lastRunAt: daysAgo(1).toISOString(),
        backupSizeBytes: 0,
      },
    ]);
  });

  it('200: sorts by each figure, with companies without jobs last or first', async () => {
    const [bad, good, idle] = [
      await buildCompany(portal.database, { name: 'Sorted bad' }),
      await buildCompany(portal.database, { name: 'Sorted good' }),
      await buildCompany(portal.database, { name: 'Sorted idle' }),
    ];
    await buildJob(portal.database, { companyId: bad, lastResult: 'Failed' });
    await buildJob(portal.database, { companyId: good, lastResult: 'Success', lastStartedAt: daysAgo(1) });
    const order = async (sort: '-failed' | 'jobs' | '-lastRunAt') =>
      (await admin.call(listCompanies, { query: { search: 'Sorted', sort } })).data.map((company) => company._id);
    expect((await order('-failed'))[0]).toBe(bad);
    expect((await order('jobs'))[0]).toBe(idle);
    expect((await order('-lastRunAt'))[0]).toBe(good);
  });

  it('200: filters by companies with jobs, by sources and by ids', async () => {
    const [server, cloud, empty] = [
      await buildCompany(portal.database, { name: 'Equipped 1' }),
      await buildCompany(portal.database, { name: 'Equipped 2' }),
      await buildCompany(portal.database, { name: 'Equipped 3' }),
    ];
    await buildJob(portal.database, { companyId: server });
    await buildJob(portal.database, { companyId: cloud, sourceGroup: 'public-cloud-vms' });
    const ids = [server, cloud, empty];
    const found = async (query: { withJobs?: boolean; source?: 'public-cloud-vms'; ids?: string[] }) =>
      (await admin.call(listCompanies, { query: { search: 'Equipped', ...query } })).data.map(({ _id }) => _id);
    expect(await found({ ids })).toEqual(ids);
    expect(await found({ ids: [empty] })).toEqual([empty]);
    expect(await found({ withJobs: true })).toEqual([server, cloud]);
    expect(await found({ withJobs: true, source: 'public-cloud-vms' })).toEqual([cloud]);
  });

  it('200: counts the jobs without a company and their stored bytes', async () => {
    const { jobInstanceUid } = await buildJob(portal.database, { companyId: null });
    await buildJob(portal.database, { companyId: null });
    const removed = await buildJob(portal.database, { companyId: null });
    await execute(
      portal.database,
      sql`update jobs set backup_size_bytes = 700, removed_at = case when job_instance_uid = ${removed.jobInstanceUid} then now() end
        where job_instance_uid in (${jobInstanceUid}, ${removed.jobInstanceUid})`,
    );
    const { withoutCompany } = await admin.call(listCompanies, {});
    expect(withoutCompany).toEqual({ jobs: 2, backupSizeBytes: 700 });
    const limited = await portal.as('admin', { companyIds: [await buildCompany(portal.database)] });
    expect((await limited.call(listCompanies, {})).withoutCompany).toEqual({ jobs: 0, backupSizeBytes: 0 });
  });

  it('200: filters by active, and does not list removed companies', async () => {
    const [active, inactive, removed] = [
      await buildCompany(portal.database, { name: 'Filtered 1' }),
      await buildCompany(portal.database, { name: 'Filtered 2' }),
      await buildCompany(portal.database, { name: 'Filtered 3' }),
    ];
    await execute(portal.database, sql`update companies set is_active = false where id = ${inactive}`);
    await execute(portal.database, sql`update companies set deleted_at = now() where id = ${removed}`);
    const ids = async (isActive?: boolean) =>
      (await admin.call(listCompanies, { query: { search: 'Filtered', isActive } })).data.map((company) => company._id);
    expect(await ids()).toEqual([active, inactive]);
    expect(await ids(false)).toEqual([inactive]);
    expect((await admin.send(getCompany, { params: { id: removed } })).status).toBe(404);
  });

  it('200: lists nothing for a reseller without companies', async () => {
    await buildCompany(portal.database);
    const reseller = await portal.as('sub-sp');
    expect(await reseller.call(listCompanies, {})).toMatchObject({ count: 0, data: [] });
  });

  it('422: refuses to sort by an unknown column', async () => {
    expect((await admin.raw('GET', '/api/companies?sort=name;drop table companies')).status).toBe(422);
  });
});

describe('GET companies/{id}', () => {
  it('200: returns one company with its figures, whatever characters its name has', async () => {
    const name = `<script>alert(1)</script>'; drop table companies; --`;
    const id = await buildCompany(portal.database, { name });
    await buildJob(portal.database, { companyId: id, lastResult: 'Failed' });
    const { data } = await admin.call(getCompany, { params: { id } });
    expect(data).toMatchObject({ _id: id, name, jobs: 1, failed: 1 });
  });

  it('200: names the consoles that it is linked to, unless the user is limited to companies', async () => {
    const connectionId = await buildConsole('North');
    const id = await buildCompany(portal.database, { vacId: 'n-1', connectionId });
    const { data } = await admin.call(getCompany, { params: { id } });
    expect(data.links).toEqual([{ connectionId, connectionName: 'North', externalId: 'n-1', isReporting: true }]);
    const limited = await portal.as('admin', { companyIds: [id] });
    expect((await limited.call(getCompany, { params: { id } })).data.links).toEqual([]);
  });

  it('404: refuses a company of another provider, and one outside the user’s companies', async () => {
    const foreign = await buildCompany(portal.database, { providerId: 2 });
    expect((await admin.send(getCompany, { params: { id: foreign } })).status).toBe(404);
    const [own, other] = [await buildCompany(portal.database), await buildCompany(portal.database)];
    const limited = await portal.as('admin', { companyIds: [own] });
    expect((await limited.send(getCompany, { params: { id: other } })).status).toBe(404);
    expect((await limited.send(getCompany, { params: { id: own.toUpperCase() } })).status).toBe(200);
  });

  it('422: refuses an invalid id', async () => {
    expect((await admin.raw('GET', '/api/companies/1')).status).toBe(422);
  });
});

describe('POST companies', () => {
  it('200: adds a company that every list then has, and records who did it', async () => {
    const body = { name: '  Harbour \n Freight ', email: 'it@harbour.test', phone: '+1 555 0100' };
    const { data } = await admin.call(createCompany, { body });
    expect(data).toMatchObject({ name: 'Harbour Freight', email: 'it@harbour.test', isActive: true, isManaged: true });
    const reader = await portal.as('read-only');
    expect(await reader.call(listReportingCompanies, { query: { ids: data._id } })).toMatchObject({ count: 1 });
    const entry = await row(
      portal.database,
      sql`select username, action, after from audit_entries where target_id = ${data._id}`,
    );
    expect(entry).toEqual({
      username: admin.username,
      action: 'company.create',
      after: { ...body, name: 'Harbour Freight' },
    });
  });

  it('409: refuses a name in use, in whatever case, and says which; names of removed companies and other providers are free', async () => {
    const id = await buildCompany(portal.database, { name: 'Existing GmbH' });
    await buildCompany(portal.database, { name: 'Elsewhere', providerId: 2 });
    const refused = await admin.send(createCompany, { body: { name: 'existing gmbh' } });
    expect(refused.status).toBe(409);
    expect((await refused.json()).message).toContain('a company named "Existing GmbH" already');
    await execute(portal.database, sql`update companies set deleted_at = now() where id = ${id}`);
    expect((await admin.send(createCompany, { body: { name: 'existing gmbh' } })).status).toBe(200);
    expect((await admin.send(createCompany, { body: { name: 'Elsewhere' } })).status).toBe(200);
  });

  it('409: adds one of several with the same name that are sent at once', async () => {
    const sent = Array.from({ length: 6 }, () => admin.send(createCompany, { body: { name: 'At once' } }));
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(await rows(portal.database, sql`select from companies where name = 'At once'`)).toHaveLength(1);
  });

  it('403: refuses who is limited to companies', async () => {
    const limited = await portal.as('admin', { companyIds: [await buildCompany(portal.database)] });
    expect((await limited.send(createCompany, { body: { name: 'Out of reach' } })).status).toBe(403);
    const reseller = await portal.as('sub-sp');
    expect((await reseller.send(createCompany, { body: { name: 'Out of reach' } })).status).toBe(403);
  });

  it.each([{ name: ' ' }, { name: 'x'.repeat(201) }, { name: 'A', email: 'nowhere' }, { name: 'A', vacId: '1' }])(
    '422: refuses %j',
    async (body) => {
      const response = await admin.raw('POST', '/api/companies', { body: JSON.stringify(body) });
      expect(response.status).toBe(422);
    },
  );
});

describe('POST companies/export', () => {
  it('200: streams what the same filters list, with a heading, and records who exported it', async () => {
    const [first] = [
      await buildCompany(portal.database, { name: 'Exported =1+1' }),
      await buildCompany(portal.database, { name: 'Exported B' }),
      await buildCompany(portal.database, { name: 'Left out' }),
      await buildCompany(portal.database, { name: 'Exported elsewhere', providerId: 2 }),
    ];
    await buildJob(portal.database, { companyId: first, lastResult: 'Failed' });
    const body = { format: 'csv', search: 'exported', sort: '-name' } as const;
    const response = await admin.send(exportCompanies, { body });
    expect(response.headers.get('content-disposition')).toMatch(
      /filename="Companies-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.csv"/,
    );
    const lines = (await response.text()).split('\r\n');
    expect(lines[0]).toMatch(/^\uFEFF?Company,E-mail,Phone,Provider,Active,Managed,Jobs,/);
    expect(lines.slice(1)).toEqual([
      'Exported B,,,Provider 1,yes,yes,0,0,0,0,0,0,,0,0',
      'Exported =1+1,,,Provider 1,yes,yes,1,0,1,0,0,0,,0,0',
      '',
    ]);
    const entry = sql`select after from audit_entries where username = ${admin.username} and action = 'company.export'`;
    expect(await row(portal.database, entry)).toEqual({ after: body });
  });
});

describe('PUT companies/{id}', () => {
  const body = { name: 'Renamed', email: 'it@renamed.test', isActive: false, isManaged: false };

  it('200: changes every field, leaves out what is not given, and records what it was', async () => {
    const { data } = await admin.call(createCompany, { body: { name: 'To rename', phone: '+1 555 0100' } });
    const params = { id: data._id };
    const edited = await admin.call(editCompany, { params, body });
    const { name, email, isActive, isManaged } = body;
    expect(edited.data).toMatchObject({ name, email, phone: null, isActive, isManaged });
    expect((await admin.call(getCompany, { params })).data).toMatchObject(edited.data);
    const entry = await row(
      portal.database,
      sql`select username, before, after from audit_entries where action = 'company.edit' and target_id = ${data._id}`,
    );
    expect(entry).toEqual({
      username: admin.username,
      before: { name: 'To rename', email: null, phone: '+1 555 0100', isActive: true, isManaged: true },
      after: { ...body, phone: null },
    });
  });

  it('200: leaves name and status as they are where they are not given, also after a sync has changed them', async () => {
    const id = await buildCompany(portal.database, { name: 'Renamed by a sync', vacId: 'vac-11' });
    const edit = () => admin.call(editCompany, { params: { id }, body: { email: 'it@sync.test', isManaged: true } });
    expect((await edit()).data).toMatchObject({ name: 'Renamed by a sync', isActive: true, email: 'it@sync.test' });
  });

  it('409: refuses a name in use; the case of its own name can be changed', async () => {
    await buildCompany(portal.database, { name: 'In use' });
    const id = await buildCompany(portal.database, { name: 'Edited' });
    const refused = await admin.send(editCompany, { params: { id }, body: { ...body, name: 'IN USE' } });
    expect([refused.status, (await refused.json()).message]).toEqual([
      409,
      'There is a company named "In use" already. Use that one, or give this one another name.',
    ]);
    expect((await admin.send(editCompany, { params: { id }, body: { ...body, name: 'EDITED' } })).status).toBe(200);
  });

  it('409: refuses name and status that a console reports, and changes the rest', async () => {
    const id = await buildCompany(portal.database, { name: 'Reported', vacId: 'vac-9' });
    const given = { name: 'Reported', isActive: true, isManaged: false };
    for (const change of [{ name: 'Another' }, { isActive: false }]) {
      const refused = await admin.send(editCompany, { params: { id }, body: { ...given, ...change } });
      expect([refused.status, (await refused.json()).message]).toEqual([
        409,
        'Name and status of "Reported" come from the console "A console". Change them there.',
      ]);
    }
    expect((await admin.call(editCompany, { params: { id }, body: given })).data.isManaged).toBe(false);
  });

  it('404: refuses a company of another provider and a removed one; 403: users who are limited to companies', async () => {
    const foreign = await buildCompany(portal.database, { providerId: 2 });
    const own = await buildCompany(portal.database);
    expect((await admin.send(editCompany, { params: { id: foreign }, body })).status).toBe(404);
    const limited = await portal.as('admin', { companyIds: [own] });
    expect((await limited.send(editCompany, { params: { id: own }, body })).status).toBe(403);
    await execute(portal.database, sql`update companies set deleted_at = now() where id = ${own}`);
    expect((await admin.send(editCompany, { params: { id: own }, body })).status).toBe(404);
  });
});

describe('PUT companies/{id}, links', () => {
  const given = { name: 'Linked', isActive: true, isManaged: true };

  it('200: links a company to those of consoles and unlinks it, and leaves the links where none are given', async () => {
    const [north, south] = [await buildConsole('North'), await buildConsole('South')];
    const id = await buildCompany(portal.database, { name: 'Linked' });
    const edit = (body: Partial<CompanyEdit>) =>
      admin.call(editCompany, { params: { id }, body: { ...given, ...body } });
    const links = async () => (await admin.call(getCompany, { params: { id } })).data.links;
    await edit({ links: [{ connectionId: north, externalId: 'n-1' }] });
    await edit({});
    expect(await links()).toEqual([
      { connectionId: north, connectionName: 'North', externalId: 'n-1', isReporting: true },
    ]);
    await edit({ links: [{ connectionId: south, externalId: 's-1' }] });
    expect(await links()).toEqual([
      { connectionId: south, connectionName: 'South', externalId: 's-1', isReporting: true },
    ]);
    const entry = await row<{ before: { links: unknown }; after: { links: unknown } }>(
      portal.database,
      sql`select before, after from audit_entries where target_id = ${id} and after::text like '%s-1%'`,
    );
    expect([entry?.before.links, entry?.after.links]).toEqual([
      [{ connectionId: north, connectionName: 'North', externalId: 'n-1' }],
      [{ connectionId: south, connectionName: 'South', externalId: 's-1' }],
    ]);
    // A company that is no longer linked can be renamed in the same step.
    await edit({ links: [], name: 'Linked no more' });
    expect(await links()).toEqual([]);
  });

  it('409: refuses a company of a console that is linked to another one, and changes nothing', async () => {
    const connectionId = await buildConsole('North');
    await buildCompany(portal.database, { name: 'First', vacId: 'n-1', connectionId });
    const id = await buildCompany(portal.database, { name: 'Linked' });
    const body = { ...given, isManaged: false, links: [{ connectionId, externalId: 'n-1' }] };
    const refused = await admin.send(editCompany, { params: { id }, body });
    expect([refused.status, (await refused.json()).message]).toEqual([
      409,
      'That company of the console "North" is linked to "First". Search for it again to move the link here.',
    ]);
    expect((await admin.call(getCompany, { params: { id } })).data).toMatchObject({ isManaged: true, links: [] });
  });

  it('200: moves a company of a console from the company that it is linked to, and from no other', async () => {
    const connectionId = await buildConsole('North');
    const first = await buildCompany(portal.database, { name: 'First', vacId: 'n-1', connectionId });
    const id = await buildCompany(portal.database, { name: 'Linked' });
    const move = (movesFrom: string) =>
      admin.send(editCompany, {
        params: { id },
        body: { ...given, links: [{ connectionId, externalId: 'n-1', movesFrom }] },
      });
    expect((await move(id)).status).toBe(409);
    expect((await move(first)).status).toBe(200);
    const links = async (of: string) => (await admin.call(getCompany, { params: { id: of } })).data.links;
    expect([await links(first), await links(id)]).toEqual([
      [],
      [{ connectionId, connectionName: 'North', externalId: 'n-1', isReporting: true }],
    ]);
    const lost = sql`select action, before, after from audit_entries where target_id = ${first}`;
    expect(await rows(portal.database, lost)).toEqual([
      {
        action: 'company.edit',
        before: { links: [{ connectionId, connectionName: 'North', externalId: 'n-1' }] },
        after: { links: [] },
      },
    ]);
  });

  it('422: refuses a console of another provider, and two companies of one console', async () => {
    const foreign = await buildConnection(portal.database, { providerId: 2 });
    const own = await buildConsole('North');
    const id = await buildCompany(portal.database, { name: 'Linked' });
    for (const links of [
      [{ connectionId: foreign, externalId: 'x' }],
      [
        { connectionId: own, externalId: 'n-1' },
        { connectionId: own, externalId: 'n-2' },
      ],
    ])
      expect((await admin.send(editCompany, { params: { id }, body: { ...given, links } })).status).toBe(422);
  });
});

describe('DELETE companies/{id}', () => {
  const plainReport = JSON.stringify({
    job: 'nightly',
    startedAt: daysAgo(1).toISOString(),
    durationMs: 60_000,
    result: 'Success',
  });
  const body = { reason: 'The contract has ended.' };

  it('200: removes a company, whose jobs remain without one, and records who and why', async () => {
    const id = await buildCompany(portal.database, { name: 'To remove' });
    const job = await buildJob(portal.database, { companyId: id, lastResult: 'Failed', lastStartedAt: daysAgo(1) });
    const execution = await buildExecution(portal.database, job, { startedAt: daysAgo(1) });
    const operator = await portal.as('operator');
    const before = (await admin.call(listCompanies, {})).withoutCompany?.jobs ?? 0;
    await admin.call(deleteCompany, { params: { id }, body });
    expect((await admin.call(listCompanies, {})).withoutCompany?.jobs).toBe(before + 1);
    expect(await admin.call(listCompanies, { query: { ids: [id] } })).toMatchObject({ count: 0 });
    const shown = await operator.call(getJobExecution, { params: { id: execution } });
    expect(shown.data).toMatchObject({ companyId: null, companyName: null });
    const entry = await row(
      portal.database,
      sql`select username, before->>'name' as name, after from audit_entries where action = 'company.delete' and target_id = ${id}`,
    );
    expect(entry).toEqual({ username: admin.username, name: 'To remove', after: body });
    expect((await admin.send(deleteCompany, { params: { id }, body })).status).toBe(404);
  });

  it('200: leaves nothing to a user who is limited to it, and refuses its tokens, until it is restored', async () => {
    const id = await buildCompany(portal.database, { name: 'With users' });
    const limited = await portal.as(['admin', 'operator'], { companyIds: [id] });
    const { token } = await admin.call(createIntakeToken, { body: { name: 'Nightly', companyId: id } });
    const report = () => portal.anonymous.raw('POST', `/api/monitoring/intake/${token}`, { body: plainReport });
    expect((await report()).status).toBe(200);
    await admin.call(deleteCompany, { params: { id }, body });
    expect((await report()).status).not.toBe(200);
    expect(await limited.call(listCompanies, {})).toMatchObject({ count: 0, withoutCompany: { jobs: 0 } });
    expect(await limited.call(listJobExecutions, { query: { filter: { state: 'all' } } })).toMatchObject({ count: 0 });
    await admin.call(restoreCompany, { params: { id } });
    expect(await limited.call(listCompanies, {})).toMatchObject({ count: 1, data: [{ _id: id, name: 'With users' }] });
    expect((await report()).status).toBe(200);
  });

  it('409: refuses a company that a connected console reports, and says what to do', async () => {
    const id = await buildCompany(portal.database, { name: 'Reported too', vacId: 'vac-10' });
    const refused = await admin.send(deleteCompany, { params: { id }, body });
    expect([refused.status, (await refused.json()).message]).toEqual([
      409,
      'The console "A console" reports "Reported too": its next sync would bring the company back. Remove it there, then its link here.',
    ]);
    await execute(portal.database, sql`update connections set deleted_at = now() where provider_id = 1`);
    expect((await admin.send(deleteCompany, { params: { id }, body })).status).toBe(200);
  });

  it('409: refuses a company whose Microsoft 365 is backed up, and says what to do', async () => {
    const id = await buildCompany(portal.database);
    await buildOrganization(portal.database, { companyId: id, name: 'Fabrikam' });
    const refused = await admin.send(deleteCompany, { params: { id }, body });
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('Fabrikam') });
    expect((await admin.send(getCompany, { params: { id } })).status).toBe(200);
  });

  it('404: refuses a company of another provider; 403: users who are limited to companies; 422: no reason', async () => {
    const foreign = await buildCompany(portal.database, { providerId: 2 });
    const own = await buildCompany(portal.database);
    expect((await admin.send(deleteCompany, { params: { id: foreign }, body })).status).toBe(404);
    expect((await admin.send(restoreCompany, { params: { id: foreign } })).status).toBe(404);
    const limited = await portal.as('admin', { companyIds: [own] });
    expect((await limited.send(deleteCompany, { params: { id: own }, body })).status).toBe(403);
    expect((await limited.send(restoreCompany, { params: { id: own } })).status).toBe(403);
    expect((await admin.send(deleteCompany, { params: { id: own }, body: { reason: ' ' } })).status).toBe(422);
  });
});

describe('POST companies/{id}/restore', () => {
  it('200: changes nothing where a sync has brought the company back meanwhile', async () => {
    const id = await buildCompany(portal.database, { name: 'Back' });
    await admin.call(restoreCompany, { params: { id } });
    const entries = sql`select from audit_entries where target_id = ${id} and action = 'company.restore'`;
    expect(await rows(portal.database, entries)).toEqual([]);
  });

  it('409: refuses a company whose name is in use since', async () => {
    const id = await buildCompany(portal.database, { name: 'Replaced' });
    await admin.call(deleteCompany, { params: { id }, body: { reason: 'Twice' } });
    const other = await admin.call(createCompany, { body: { name: 'replaced' } });
    expect((await admin.send(restoreCompany, { params: { id } })).status).toBe(409);
    await admin.call(deleteCompany, { params: { id: other.data._id }, body: { reason: 'Twice' } });
    await admin.call(restoreCompany, { params: { id } });
    expect((await admin.call(getCompany, { params: { id } })).data.name).toBe('Replaced');
  });
});

describe('GET companies/vac', () => {
  it('200: finds companies in every console by a part of the name or by id, each with the company it is linked to', async () => {
    const providerId = 2;
    const other = await portal.as('admin', { providerId });
    const [north, south] = [await buildConsole('North', providerId), await buildConsole('South', providerId)];
    await buildConsole('Down', providerId);
    const id = await buildCompany(portal.database, { providerId, name: 'Ours', vacId: 'n-1', connectionId: north });
    const { data, failed } = await other.call(listConsoleCompanies, { query: { name: 'HARB' } });
    expect(data).toEqual([
      {
        connectionId: north,
        connectionName: 'North',
        externalId: 'n-1',
        isReporting: true,
        name: 'Harbour Freight',
        isActive: true,
        company: { _id: id, name: 'Ours' },
      },
      {
        connectionId: south,
        connectionName: 'South',
        externalId: 's-1',
        isReporting: true,
        name: 'Old harbour',
        isActive: true,
        company: null,
      },
    ]);
    expect(failed).toEqual([{ connectionName: 'Down', message: 'The console cannot be reached.' }]);
    const byId = await other.call(listConsoleCompanies, { query: { id: 'N-2' } });
    expect(byId.data.map(({ name }) => name)).toEqual(['Bakery']);
    expect(await admin.call(listConsoleCompanies, { query: { name: 'harb' } })).toMatchObject({ failed: [] });
  });

  it('200: answers from the other consoles where one cannot be opened, and names that one with the reason', async () => {
    const providerId = 2;
    const other = await portal.as('admin', { providerId });
    await execute(portal.database, sql`update connections set deleted_at = now() where provider_id = ${providerId}`);
    await buildConsole('North', providerId);
    const [unknown, sealed] = [await buildConsole('South', providerId), await buildConsole('Many', providerId)];
    await execute(portal.database, sql`update connections set kind = 'future' where id = ${unknown}`);
    await execute(portal.database, sql`update connections set secrets = 'of another key' where id = ${sealed}`);
    const { data, failed } = await other.call(listConsoleCompanies, { query: { name: 'harb' } });
    expect(data.map(({ name }) => name)).toEqual(['Harbour Freight']);
    expect(failed).toEqual([
      {
        connectionName: 'Many',
        message: 'The stored secrets cannot be opened with the key of this portal. Enter them again.',
      },
      {
        connectionName: 'South',
        message:
          'There is no connector "future" for backup-source; there are: vac. Use a version of this portal that has it.',
      },
    ]);
  });

  it('200: answers at most 50 of a console', async () => {
    await buildConsole('Many');
    expect((await admin.call(listConsoleCompanies, { query: { name: 'one of many' } })).data).toHaveLength(50);
  });

  it('403: refuses users who are limited to companies', async () => {
    const limited = await portal.as('admin', { companyIds: [await buildCompany(portal.database)] });
    expect((await limited.send(listConsoleCompanies, {})).status).toBe(403);
  });
});

/** Connects one of the consoles above. */
async function buildConsole(name: keyof typeof CONSOLES, providerId = 1): Promise<string> {
  const id = await buildConnection(portal.database, { providerId });
  const settings = JSON.stringify({ url: name });
  await execute(portal.database, sql`update connections set name = ${name}, settings = ${settings} where id = ${id}`);
  return id;
}
