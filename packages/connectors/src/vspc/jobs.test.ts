import { afterEach, describe, expect, it } from 'vitest';
import type { Read, SourceJob } from '../ports/backup-source.ts';
import { drain } from '../suites/backup-source-subject.ts';
import type { Console, Resource } from '../testing/console.ts';
import { startConsole, uidOf } from '../testing/console.ts';
import { quiet } from '../testing/context.ts';
import { buildServerJob, COMPANY } from '../testing/entities.ts';
import type { VspcClient } from './client.ts';
import { listFileShareJobs } from './jobs/file-shares.ts';
import { listManagedAgentJobs } from './jobs/managed-agents.ts';
import { listManagedServerJobs } from './jobs/managed-servers.ts';
import { listMonitoredAgentJobs } from './jobs/monitored-agents.ts';
import { listOffice365Jobs } from './jobs/office365.ts';
import { listPublicCloudJobs } from './jobs/public-cloud.ts';

let running: Console;
afterEach(() => running.stop());

const SERVERS = {
  'infrastructure/backupServers': [{ instanceUid: uidOf(500), name: 'VBR01', organizationUid: COMPANY }],
};
const JOBS = 'infrastructure/backupServers/jobs';
const POLICIES = 'infrastructure/backupServers/publicCloud/policies/virtualMachines';
const VB365 = 'infrastructure/vb365Servers/organizations';

type ListJobs = (client: VspcClient, signal: AbortSignal) => AsyncIterable<Read<SourceJob>>;

async function read(listJobs: ListJobs, resources: Record<string, Resource>) {
  running = await startConsole({ ...SERVERS, ...resources });
  return drain(listJobs(running.client, quiet()));
}

describe('managed-servers', () => {
  it('has the jobs of machines with their server’s name, and leaves agents and files to their own groups', async () => {
    const types = [
      'BackupVm',
      'AgentBackupJob',
      'AgentPolicy',
      'BackupFile',
      'BackupFileCopy',
      'CopyFile',
      'FileToTape',
    ];
    const jobs = [...types, 'ReplicationVM'].map((type, id) => buildServerJob({ instanceUid: uidOf(id), type }));
    const { values } = await read(listManagedServerJobs, { [JOBS]: jobs });
    expect(values.map((job) => [job.jobType, job.serverName])).toEqual([
      ['BackupVm', 'VBR01'],
      ['ReplicationVM', 'VBR01'],
    ]);
  });

  it('lists a server that cannot be read, and still has its jobs, without the name', async () => {
    const { values, failed } = await read(listManagedServerJobs, {
      'infrastructure/backupServers': [{ instanceUid: uidOf(500) }],
      [JOBS]: [buildServerJob()],
    });
    expect(failed).toMatchObject([{ entity: 'backup server', externalId: uidOf(500) }]);
    expect(values).toMatchObject([{ serverName: null }]);
  });
});

describe('monitored-agents', () => {
  it('reads name and run from the job that is embedded, and asks for it', async () => {
    const _embedded = { backupServerJob: buildServerJob({ type: 'AgentPolicy', destination: null }) };
    const agentJobs = [
      { instanceUid: uidOf(1), destination: 'Vault', _embedded },
      { instanceUid: uidOf(2), _embedded: null },
    ];
    const { values, failed } = await read(listMonitoredAgentJobs, { [`${JOBS}/agentJobs`]: agentJobs });
    expect(values).toMatchObject([
      { externalId: uidOf(1), group: 'monitored-agents', name: 'Nightly', targetName: 'Vault' },
    ]);
    expect(failed).toMatchObject([
      { entity: 'job', externalId: uidOf(2), reason: expect.stringContaining('_embedded') },
    ]);
    expect(running.requestsFor(`${JOBS}/agentJobs`)[0]?.searchParams.get('expand')).toBe('BackupServerJob');
  });
});

describe('managed-agents', () => {
  it('carries over agent, restore points, sizes and the run', async () => {
    const job = {
      instanceUid: uidOf(1),
      name: 'Laptops',
      status: 'Warning',
      isEnabled: true,
      backupAgentUid: uidOf(600),
      organizationUid: COMPANY,
      backupMode: 'EntireComputer',
      scheduleType: 'Daily',
      nextRun: '2026-03-10T20:00:00Z',
      lastRun: '2026-03-09T20:00:00Z',
      lastEndTime: '2026-03-09T20:05:00Z',
      lastDuration: 300,
      destination: 'Cloud',
      restorePoints: 14,
      backedUpSize: 77,
      failureMessage: 'Low on space',
    };
    const { values } = await read(listManagedAgentJobs, {
      'infrastructure/backupAgents': [{ instanceUid: uidOf(600), name: 'LAPTOP-7' }],
      'infrastructure/backupAgents/jobs': [job, { ...job, instanceUid: uidOf(2), status: 'None', lastRun: null }],
    });
    expect(values).toMatchObject([
      {
        group: 'managed-agents',
        companyExternalId: COMPANY,
        serverName: 'LAPTOP-7',
        intervalMs: null,
        nextRunAt: new Date('2026-03-10T20:00:00Z'),
        restorePointCount: 14,
        backupSizeBytes: 77,
        lastRun: { result: 'Warning', durationMs: 300_000, message: 'Low on space', transferredBytes: null },
      },
      { externalId: uidOf(2), lastRun: null },
    ]);
  });
});

describe('office365', () => {
  const job = {
    instanceUid: uidOf(1),
    name: 'Mailboxes',
    jobType: 'BackupJob',
    repositoryName: 'Objects',
    vb365OrganizationUid: uidOf(800),
    vspcOrganizationUid: COMPANY,
    vb365ServerName: 'M365-01',
    lastRun: '2026-03-09T20:00:00Z',
    nextRun: null,
    isEnabled: true,
    lastStatus: 'Failed',
    lastStatusDetails: 'Throttled',
    lastErrorLogRecords: [{ message: 'Mailbox a@b.c: throttled', logType: 'Error' }],
  };

  it('has a start without an end, and the last errors as its log', async () => {
    const { values } = await read(listOffice365Jobs, { [`${VB365}/jobs`]: [job] });
    expect(values).toMatchObject([
      {
        serverName: 'M365-01',
        targetName: 'Objects',
        lastRun: {
          result: 'Failed',
          endedAt: null,
          durationMs: null,
          message: 'Throttled',
          log: [{ at: null, level: 'error', text: 'Mailbox a@b.c: throttled' }],
        },
      },
    ]);
  });

  it('finds the company by the mapping of the Microsoft organization where the job does not say it', async () => {
    const { values } = await read(listOffice365Jobs, {
      [`${VB365}/jobs`]: [{ ...job, vspcOrganizationUid: null }],
      [`${VB365}/companyMappings`]: [{ instanceUid: uidOf(1), vb365OrganizationUid: uidOf(800), companyUid: COMPANY }],
    });
    expect(values).toMatchObject([{ companyExternalId: COMPANY }]);
  });

  it.each([
    ['Stopped', 'Warning'],
    ['Stopping', 'Running'],
    ['Queued', undefined],
    ['Disconnected', undefined],
    ['NotConfigured', undefined],
  ])('with the status %s has the result %s', async (lastStatus, result) => {
    const { values } = await read(listOffice365Jobs, { [`${VB365}/jobs`]: [{ ...job, lastStatus }] });
    expect(values[0]?.lastRun?.result).toBe(result);
  });
});

describe('public-cloud-vms', () => {
  const policy = {
    instanceUid: uidOf(1),
    name: 'Web',
    state: 'Enabled',
    organizationUid: COMPANY,
    platformType: 'Azure',
  };
  const ended = (endTime: string, status: string, failureMessage: string | null = null) => ({
    endTime,
    status,
    failureMessage,
  });

  it('has a last run that is as bad as the worst of its machines’ last sessions', async () => {
    const { values } = await read(listPublicCloudJobs, {
      [POLICIES]: [policy, { ...policy, instanceUid: uidOf(2), state: 'Disabled' }],
      [`${POLICIES}/objects`]: [
        // The older session of the same machine failed, and no longer counts.
        {
          policyUid: uidOf(1),
          instanceName: 'web-1',
          lastSnapshot: ended('2026-03-08T01:00:00Z', 'Failed', 'old'),
          lastBackup: ended('2026-03-09T01:00:00Z', 'Success'),
        },
        { policyUid: uidOf(1), instanceName: 'web-2', lastBackup: ended('2026-03-09T01:05:00Z', 'Warning', 'slow') },
        {
          policyUid: uidOf(1),
          instanceName: 'web-3',
          lastBackup: { endTime: null, status: 'None', failureMessage: null },
        },
      ],
    });
    const endedAt = new Date('2026-03-09T01:05:00Z');
    expect(values).toMatchObject([
      {
        name: 'Web',
        jobType: 'Azure',
        lastRun: {
          startedAt: endedAt,
          endedAt,
          result: 'Warning',
          durationMs: null,
          message: 'web-2: slow',
          log: [{ at: endedAt, level: 'warning', text: 'web-2: slow' }],
        },
      },
      { externalId: uidOf(2), isEnabled: false, scheduleType: 'Disabled', lastRun: null },
    ]);
  });
});

describe('file-share-jobs', () => {
  it('adds up the shares of a job, and has the other jobs of files too', async () => {
    const _embedded = { backupServerJob: buildServerJob({ type: 'BackupFile', transferredData: null }) };
    const share = {
      jobUid: uidOf(1),
      lastSession: { backupStatus: 'Success', backedUpFilesCount: 5, transferredSize: 50 },
    };
    const locked = { ...share.lastSession, backupStatus: 'Warning', messages: ['1 file is locked'] };
    const { values } = await read(listFileShareJobs, {
      [`${JOBS}/fileShareJobs`]: [{ instanceUid: uidOf(1), _embedded }],
      [`${JOBS}/fileShareJobs/objects`]: [share, { ...share, name: 'public', lastSession: locked }],
      [JOBS]: [
        buildServerJob({ type: 'BackupFile' }),
        buildServerJob({ instanceUid: uidOf(2), type: 'FileToTape' }),
        buildServerJob({ instanceUid: uidOf(3) }),
      ],
    });
    expect(values).toMatchObject([
      {
        externalId: uidOf(1),
        lastRun: {
          processedFiles: 10,
          transferredBytes: 100,
          log: [{ at: null, level: 'warning', text: 'public: 1 file is locked' }],
        },
      },
      { externalId: uidOf(2), group: 'file-share-jobs', jobType: 'FileToTape' },
    ]);
  });
});
