import { describe, expect, it } from 'vitest';
import { uidOf } from '../../testing/console.ts';
import { buildServerJob, COMPANY } from '../../testing/entities.ts';
import { backupServerJobSchema, toJob } from './backup-server-job.ts';

const now = new Date('2026-03-10T12:00:00Z');

function read(overrides: Record<string, unknown> = {}) {
  const place = { group: 'managed-servers', serverName: 'VBR01' } as const;
  return toJob(backupServerJobSchema.parse(buildServerJob(overrides)), place, now);
}

describe('a job of a backup server', () => {
  it('carries over what the console shows, in our units', () => {
    expect(read()).toEqual({
      externalId: uidOf(1),
      group: 'managed-servers',
      name: 'Nightly',
      companyExternalId: COMPANY,
      jobType: 'BackupVm',
      isEnabled: true,
      scheduleType: 'Daily',
      intervalMs: 86_400_000,
      nextRunAt: new Date('2026-03-10T22:00:00Z'),
      serverName: 'VBR01',
      targetName: 'Main repository',
      backupSizeBytes: 5000,
      restorePointCount: null,
      lastRun: {
        startedAt: new Date('2026-03-09T22:00:00Z'),
        endedAt: new Date('2026-03-09T22:30:00Z'),
        result: 'Success',
        durationMs: 1_800_000,
        transferredBytes: 1000,
        processedBytes: null,
        processedFiles: null,
        message: null,
        log: [],
      },
    });
  });

  it.each([
    ['Success', 'Success'],
    ['Warning', 'Warning'],
    ['Failed', 'Failed'],
    ['Running', 'Running'],
    ['Starting', 'Running'],
    ['Stopping', 'Running'],
    ['WaitingRepository', 'Running'],
    ['WaitingTape', 'Running'],
  ])('with the status %s has a last run with the result %s', (status, result) => {
    expect(read({ status }).lastRun?.result).toBe(result);
  });

  it.each(['None', 'Idle', 'Unknown', 'Disabling', 'Enabling', 'SomethingNew'])(
    'with the status %s has no last run, since the console does not say how one ended',
    (status) => {
      expect(read({ status }).lastRun).toBeNull();
    },
  );

  it('belongs to the company it is assigned to before the one that owns the server', () => {
    expect(read({ mappedOrganizationUid: uidOf(901) }).companyExternalId).toBe(uidOf(901));
  });

  it('is planned for nothing while it is switched off', () => {
    expect(read({ isEnabled: false })).toMatchObject({ scheduleType: 'Disabled', intervalMs: null, nextRunAt: null });
  });
});

describe('what its machines say', () => {
  it('is its log, and the sum of what was read', () => {
    const task = { objectName: 'DC01', readDataSize: 10, status: 'Failed', endTime: '2026-03-09T22:10:00Z' };
    const lastSessionTasks = [
      { ...task, failureMessages: ['Snapshot failed'] },
      { ...task, objectName: null, status: 'Warning', failureMessages: ['Slow'], endTime: null },
      { objectName: 'SQL01', readDataSize: null, status: 'Success', failureMessages: null },
    ];
    expect(read({ lastSessionTasks, status: 'Failed', failureMessage: 'One failed\r\n' }).lastRun).toMatchObject({
      processedBytes: 20,
      message: 'One failed',
      log: [
        { at: new Date('2026-03-09T22:10:00Z'), level: 'error', text: 'DC01: Snapshot failed' },
        { at: null, level: 'warning', text: 'Slow' },
      ],
    });
  });

  it('keeps markup in a message as the text it is', () => {
    const failureMessage = '<script>alert(1)</script>';
    expect(read({ status: 'Failed', failureMessage }).lastRun?.message).toBe(failureMessage);
  });
});
