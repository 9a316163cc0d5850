import * as applications from '@keepwatch/contract/microsoft365/applications';
import type { EngineKind } from '@keepwatch/contract/microsoft365/engines';
import * as jobs from '@keepwatch/contract/microsoft365/jobs';
import * as maintenance from '@keepwatch/contract/microsoft365/maintenance';
import * as organizations from '@keepwatch/contract/microsoft365/organizations';
import * as proofs from '@keepwatch/contract/microsoft365/proofs';
import * as repositories from '@keepwatch/contract/microsoft365/repositories';
import * as roles from '@keepwatch/contract/restore/roles';
import * as sessions from '@keepwatch/contract/restore/sessions';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, row } from '../../foundation/database.ts';
import { newId } from '../../foundation/secrets.ts';
import {
  type BuiltOrganization,
  buildM365Job,
  buildM365Repository,
  buildOwnOrganization,
  buildSession,
} from '../../testing/microsoft365-builders.ts';
import { refusal } from '../../testing/refusal.ts';
import {
  type Caller,
  recordingQueue,
  startTestPortal,
  TEST_NOW,
  TEST_SECRETS,
  type TestPortal,
} from '../../testing/test-portal.ts';
import { listUncounted } from '../licensing/uncounted-runs.ts';
import { planProofs } from '../proofs/plan-proofs.ts';
import { listUnmeasured } from '../repositories/repositories.ts';
import { claimSession } from '../sessions/claims.ts';
import { endUnclaimedSessions } from '../sessions/end-unclaimed.ts';
import { planSessions } from '../sessions/plan-sessions.ts';
import { askEngine } from './ask-engine.ts';
import { BuiltInEngine } from './built-in-engine.ts';

/** An organization of each engine with the same rows; of the one that is no engine of this portal they are copies. */
interface Backed {
  organization: BuiltOrganization;
  repositoryId: string;
  /** Due, with a run that ended with a restore point. */
  jobId: string;
  /** Goes on, asked to stop. */
  runId: string;
}

let portal: TestPortal;
let admin: Caller;
let own: Backed;
let other: Backed;

async function build(engine: EngineKind): Promise<Backed> {
  const { database } = portal;
  const organization = await buildOwnOrganization(database, { engine, name: `Backed by ${engine}` });
  const repositoryId = await buildM365Repository(database, organization);
  const due = { repositoryId, nextRunAt: TEST_NOW };
  const [jobId, running] = [
    await buildM365Job(database, organization, due),
    await buildM365Job(database, organization),
  ];
  await buildSession(database, { providerId: 1, id: jobId });
  const runId = await buildSession(database, { providerId: 1, id: running }, { result: 'Running' });
  await execute(database, sql`update m365_job_sessions set stop_asked_at = started_at where id = ${runId}`);
  return { organization, repositoryId, jobId, runId };
}

beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.as('o365_admin');
  own = await build('built-in');
  other = await build('veeam');
});
afterAll(() => portal.stop());

describe('An organization that a Veeam server backs up', () => {
  it('is listed with its jobs, repositories and runs, which say what engine they are of', async () => {
    const { organization, repositoryId, jobId } = other;
    const organizationId = organization.id;
    const engine = 'veeam';
    expect((await admin.call(organizations.readOrganization, { params: { organizationId } })).data).toMatchObject({
      engine,
    });
    expect((await admin.call(organizations.listOrganizationNames, {})).data).toContainEqual(
      expect.objectContaining({ id: organizationId, engine }),
    );
    const found = await admin.call(repositories.listM365Repositories, { query: { organizationId, repositoryId } });
    expect(found.data).toMatchObject([{ engine }]);
    expect((await admin.call(jobs.readM365Job, { params: { jobId } })).data).toMatchObject({ engine });
    expect((await admin.call(jobs.readLatestSession, { params: { jobId } })).data).toMatchObject({ status: 'Success' });
  });

  it('409: is changed and asked at its server', async () => {
    const { organization, repositoryId: id, jobId } = other;
    const { id: organizationId, companyId } = organization;
    const params = { organizationId };
    const job: CallRequest<typeof jobs.createM365Job>['body'] = {
      organizationId,
      name: 'Nightly',
      backupType: 'EntireOrganization',
      repositoryId: id,
      schedulePolicy: { runAuto: true, type: 'Daily' },
    };
    const password = 'an orange in the attic';
    const repository: CallRequest<typeof repositories.createM365Repository>['body'] = {
      organizationId,
      name: 'New',
      place: { kind: 'folder', path: '/backups' },
      password,
      repeatPassword: password,
      passwordDescription: '',
      retentionPolicy: null,
    };
    const named = { params: { jobId }, body: { organizationId } };
    for (const asked of [
      admin.send(organizations.listOrganizationUsers, { params, query: {} }),
      admin.send(organizations.listOrganizationSubsites, { params: { ...params, siteId: 'x' }, query: {} }),
      admin.send(jobs.listProxies, { query: { organizationId } }),
      admin.send(jobs.listProxyPools, { query: { organizationId } }),
      admin.send(jobs.createM365Job, { body: job }),
      admin.send(jobs.editM365Job, { params: { jobId }, body: job }),
      admin.send(jobs.startM365Job, named),
      admin.send(jobs.stopM365Job, named),
      admin.send(jobs.enableM365Job, named),
      admin.send(jobs.disableM365Job, named),
      admin.send(jobs.deleteM365Job, named),
      admin.send(repositories.createM365Repository, { body: repository }),
      admin.send(repositories.editM365Repository, { params: { id }, body: { name: 'Renamed' } }),
      admin.send(repositories.deleteM365Repository, { body: { id, companyId, repository: 'Nightly' } }),
    ])
      expect(await refusal(asked)).toMatchObject({
        status: 409,
        code: 'NOT_SUPPORTED',
        message: /Do it at that server/,
      });
  });

  it('409: has nothing of what only the built-in engine has, and says what to do instead', async () => {
    const { organization, repositoryId: id, jobId } = other;
    const { id: organizationId, companyId } = organization;
    const params = { organizationId };
    const settings = { officeOrganizationName: 'contoso.onmicrosoft.com' };
    const edited: CallRequest<typeof organizations.editOrganization>['body'] = {
      type: 'Office365',
      companyObjId: companyId,
      region: 'Worldwide',
      authType: 'modern',
      isExchangeOnline: true,
      isSharePointOnline: true,
      isTeamsOnline: true,
      isTeamsChatsOnline: false,
      exchangeOnlineSettings: settings,
      sharePointOnlineSettings: settings,
    };
    const plan = {
      isEnabled: true,
      dailyType: 'Everyday',
      dailyTime: '03:00',
      timeZone: 'UTC',
      depth: 'quick',
    } as const;
    const bucketKeys = { accessKeyId: 'second', secretAccessKey: 'secret of second' };
    const point = { companyId, organizationId, datetime: TEST_NOW.toISOString(), sessionType: 'vex' } as const;
    const role = { name: 'Desk', roleType: 'EntireOrganization' as const, operators: [{ id: newId() }] };
    const instead: readonly (readonly [RegExp, readonly Promise<Response>[]])[] = [
      [
        /change or remove its connection there/,
        [
          admin.send(organizations.editOrganization, { params, body: edited }),
          admin.send(organizations.deleteOrganization, { params, body: { name: 'Backed by veeam' } }),
          admin.send(organizations.renewCertificate, { body: { companyId, organizationId, userCode: 'ABC' } }),
          admin.send(organizations.requestApplicationDeviceCode, { body: { organizationId } }),
          admin.send(applications.addApplication, { params, body: { userCode: 'ABC', name: 'Second' } }),
          admin.send(applications.checkApplication, { params: { ...params, applicationId: newId() } }),
          admin.send(applications.removeApplication, { params: { ...params, applicationId: newId() } }),
        ],
      ],
      [
        /look there whether they are healthy/,
        [
          admin.send(maintenance.readMaintenance, { params: { id } }),
          admin.send(maintenance.editMaintenancePlan, { params: { id, kind: 'verify' }, body: plan }),
          admin.send(maintenance.startMaintenance, { params: { id, kind: 'prune' }, body: {} }),
          admin.send(maintenance.stopMaintenance, { params: { id } }),
        ],
      ],
      [/change them there/, [admin.send(repositories.editM365Repository, { params: { id }, body: { bucketKeys } })]],
      [
        /restore something there to test it/,
        [
          admin.send(proofs.listProofs, { params: { jobId }, query: {} }),
          admin.send(proofs.startProof, { params: { jobId } }),
        ],
      ],
      [
        /restore with the explorers of that server/,
        [
          admin.send(sessions.listRestorePoints, { query: { organizationId } }),
          admin.send(sessions.openRestoreSession, { body: point }),
          admin.send(sessions.requestRestoreCode, { body: { companyId, organizationId } }),
          admin.send(roles.createRestoreRole, { params, body: role }),
        ],
      ],
    ];
    for (const [text, calls] of instead)
      for (const asked of calls)
        expect(await refusal(asked)).toMatchObject({
          status: 409,
          code: 'NOT_SUPPORTED',
          message: expect.stringMatching(text),
        });
  });
});

describe('A question to an engine', () => {
  class ElsewhereEngine extends BuiltInEngine {
    override readonly isElsewhere = true;
  }

  it('leaves the place of its request only where the engine is another system, which ends with its caller', async () => {
    const { database, stored } = portal;
    const connect = () => Promise.reject(new Error('Nothing is asked of Microsoft.'));
    const services = { database, stored, secrets: TEST_SECRETS, now: () => TEST_NOW, connect };
    const reason = new Error('gone');
    const outside = <T>(work: (gone: AbortSignal) => Promise<T>) => work(AbortSignal.abort(reason));
    const ask = (engine: BuiltInEngine) => askEngine({ outside }, engine, (asked, signal) => asked.listJobs(signal));
    expect(await ask(new BuiltInEngine(services, own.organization))).toHaveLength(2);
    await expect(ask(new ElsewhereEngine(services, own.organization))).rejects.toBe(reason);
  });
});

describe('Workers', () => {
  const claimant = { workerId: newId(), places: [], claimMs: 60_000, running: [] };

  it('run, prove, measure and count nothing of an organization that a server backs up', async () => {
    const { database } = portal;
    expect((await listUnmeasured(database, TEST_NOW, 100)).map(({ organizationId }) => organizationId)).toEqual([
      own.organization.id,
      own.organization.id,
    ]);
    const uncounted = await listUncounted(database, TEST_NOW);
    expect(uncounted.map(({ organizationId }) => organizationId)).toEqual([own.organization.id]);
    const proving: TestPortal['sent'] = [];
    expect(await planProofs(database, recordingQueue(proving), TEST_NOW)).toBe(1);
    expect(await row(database, sql`select job_id as id from m365_proofs`)).toEqual({ id: own.jobId });
    expect(await planSessions(database, TEST_NOW)).toBe(1);
    const claimed = [await claimSession(database, claimant), await claimSession(database, claimant)];
    expect(claimed.map((session) => session?.organizationId)).toEqual([own.organization.id, own.organization.id]);
    expect(await claimSession(database, claimant)).toBeNull();
    expect(await claimSession(database, { ...claimant, only: other.runId })).toBeNull();
  });

  it('leave a run of a server as it is, though no worker has it', async () => {
    await endUnclaimedSessions(portal.database, TEST_NOW);
    expect(
      await row(
        portal.database,
        sql`select result, ended_at as "endedAt" from m365_job_sessions where id = ${other.runId}`,
      ),
    ).toEqual({ result: 'Running', endedAt: null });
  });
});
