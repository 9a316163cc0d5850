import { describe, expect, it } from 'vitest';
import type { FaultJob, FaultRun } from './cause.ts';
import { causeOf } from './cause-of.ts';

const JOB: FaultJob = {
  jobInstanceUid: '00000000-0000-4000-8000-000000000001',
  sourceId: '00000000-0000-4000-8000-0000000000aa',
  companyId: '00000000-0000-4000-8000-0000000000c1',
  jobName: 'Nightly',
  companyName: 'Castellano Ltd',
  serverName: 'kst-vbr-03',
  targetName: 'Repository 4',
};
const OF_OTHER_COMPANY = {
  ...JOB,
  jobInstanceUid: '00000000-0000-4000-8000-000000000002',
  companyId: '00000000-0000-4000-8000-0000000000c2',
  jobName: 'Weekly',
  companyName: 'Granite Peak Co',
};

function cause(message: string | null, job: Partial<FaultJob> = {}, run: Partial<FaultRun> = {}) {
  return causeOf({ kind: 'failed', anomalies: [], message, ...run, job: { ...JOB, ...job } });
}

/** Messages as products print them, with what varies in them changed. */
const SAME: readonly (readonly [string, string])[] = [
  [
    'Fatal: unable to create lock in backend: repository is already locked by PID 38397 on host by root (UID 0, GID 0)\nlock was created at 2023-04-28 10:30:46 (165h32m5.88133994s ago)\nstorage ID 8ba25ed5',
    'Fatal: unable to create lock in backend: repository is already locked by PID 9 on host by root (UID 1000, GID 1000)\nlock was created at 2025-11-28 01:00:01 (12.480720222s ago)\nstorage ID 05b36c59',
  ],
  [
    'Failed to create/acquire the lock /mnt/backup/web1/lock.exclusive (timeout).',
    'Failed to create/acquire the lock /srv/borg/lock.exclusive (timeout).',
  ],
  [
    "Failed to call RPC function 'FcCreateDir': Error code: 0x80070008. Cannot initialize COM runtime.",
    "Failed to call  RPC function 'FcCreateDir': Error code: 0x80070008.\r\nCannot initialize COM runtime.",
  ],
  [
    'VSSControl: Failed to prepare guest for freeze, wait timeout 900 sec',
    'VSSControl: Failed to prepare guest for freeze, wait timeout 1800 sec',
  ],
  [
    'Processing SQL01 Error: Cannot create folder. Folder path: [\\\\NAS-01\\backup\\job 1].',
    'Processing WEB-FRONT-2 Error: Cannot create folder. Folder path: [\\\\filer.corp.local\\b\\job 2].',
  ],
  [
    'SNAPSHOT_INSUFFICIENT_FREE_SPACE - The 792ea9c5-2562-42bc-ad14-d5dbda1b485b (C:) volume requires 1 GiB free space to perform a backup.',
    'SNAPSHOT_INSUFFICIENT_FREE_SPACE - The 1210c04d-4993-6ee7-28f1-da779e71628e (C:) volume requires 20 GiB free space to perform a backup.',
  ],
  [
    'Copying restore points stopped at 12:30 AM on Friday, Nov 28, 2026 after 8m 41s and 1,204.5 GB (error 10054).',
    'Copying restore points stopped at 1:07 PM on Mon, Dec 1, 2026 after 1h 2m 3s and 900 MB (error 10054).',
  ],
  ['Mailbox of anna@castellano.example could not be read.', 'Mailbox of b.r@granite-peak.example could not be read.'],
  [
    'Requests are throttled (429) for site https://a.example/x?y=1',
    'Requests are throttled (429) for site https://b.example/',
  ],
  ['تعذر إنشاء اللقطة بعد ٩٠٠ ثانية', 'تعذر إنشاء اللقطة بعد ١٨٠٠ ثانية'],
  ['ジョブは3回失敗しました', 'ジョブは12回失敗しました'],
  ['Сервер не отвечает уже 15 минут', 'Сервер не отвечает уже 7 минут'],
];

const DIFFERENT: readonly (readonly [string, string])[] = [
  ['Error code: 0x80070008. Cannot initialize COM runtime.', 'Error code: 0x800706BA. Cannot initialize COM runtime.'],
  [
    'The RPC server is unavailable. (Exception from HRESULT: 0x800706BA)',
    'The RPC server is unavailable. (Exception from HRESULT: 0x80070005)',
  ],
  [
    'Copying stopped: the gateway closed the connection (error 10054).',
    'Copying stopped: the gateway closed the connection (error 10060).',
  ],
  ['Requests are throttled (429).', 'Requests are throttled (503).'],
  ['RPC failed (1722)', 'RPC failed (1753)'],
  ['Volume C: could not be read.', 'Volume D: could not be read.'],
  ['borg: exit code 1', 'borg: exit code 2'],
  ['OSError: [Errno 28] while writing', 'OSError: [Errno 5] while writing'],
  ['HTTP 503 from the store', 'HTTP 404 from the store'],
  ['AADSTS7000222: refused', 'AADSTS700016: refused'],
  ['VSS writer failed: VSS_E_WRITERERROR_TIMEOUT', 'VSS writer failed: VSS_E_WRITERERROR_RETRYABLE'],
  ["The VSS writer 'SqlServerWriter' is in a failed state.", "The VSS writer 'NTDS' is in a failed state."],
  ['System.IO.IOException was thrown', 'System.IO.FileNotFound was thrown'],
  ['ORA-01017: refused', 'ORA-12541: refused'],
  ['The source is locked.', 'The source was locked.'],
  ['ジョブは3回失敗しました', 'ジョブは3回成功しました'],
  ['اللقطة فشلت', 'اللقطات فشلت'],
];

describe('a message', () => {
  it.each(SAME)('is the same with other names and counts: %s', (one, other) => {
    expect(cause(one)).toMatchObject({ why: 'message', subject: null });
    expect(cause(other, OF_OTHER_COMPANY).key).toBe(cause(one).key);
  });

  it.each(DIFFERENT)('is another one where it says something else: %s', (one, other) => {
    expect(cause(other).key).not.toBe(cause(one).key);
  });

  it('is compared without the names of job, company, server and repository', () => {
    const of = (job: FaultJob) => cause(`"${job.jobName}" of ${job.companyName} stopped on ${job.serverName}`, job).key;
    expect(of({ ...OF_OTHER_COMPANY, serverName: 'other-01' })).toBe(of(JOB));
  });

  it('keeps a name that is a word, unless it is in quotes', () => {
    const job = { jobName: 'Backup' };
    expect(cause('Backup failed.', job).key).not.toBe(cause('Copy failed.', { jobName: 'Copy' }).key);
    expect(cause('Job "Backup" stopped.', job).key).toBe(cause('Job "Copy" stopped.', { jobName: 'Copy' }).key);
  });
});

describe('what is at fault by name', () => {
  it('is the server that does not answer, in whatever words', () => {
    const one = cause('The log shipping server kst-vbr-03 does not answer. Logs stay in the guest.');
    expect(one).toMatchObject({ why: 'server', subject: 'kst-vbr-03' });
    const other = cause('Cannot reach host KST-VBR-03: the connection was refused on port 902.', OF_OTHER_COMPANY);
    expect(other).toMatchObject({ why: 'server', key: one.key });
  });

  it.each([
    ["Failed to connect to Veeam BR Host '172.21.1.183' with user 'CNMDC1$'", '172.21.1.183'],
    ['ssh: connect to host backup.example.com port 22: Connection timed out', 'backup.example.com'],
    ['Fatal: Get "https://rest/": dial tcp 10.0.0.5:8000: connect: connection refused', '10.0.0.5'],
    ['dial tcp: lookup nas.example.com on 127.0.0.53:53: no such host', 'nas.example.com'],
    ['Cnx_Connect: Error message: Failed to connect to server esx01:902', 'esx01'],
    ['connect ECONNREFUSED 127.0.0.1:443', '127.0.0.1'],
    ['getaddrinfo ENOTFOUND s3.example.com', 's3.example.com'],
  ])('is the server of: %s', (message, subject) => {
    expect(cause(message)).toMatchObject({ why: 'server', subject });
  });

  it('is within its company where the server is not the one of the job', () => {
    const message = 'Cannot reach host DC01: the connection was refused.';
    expect(cause(message)).toMatchObject({ why: 'server', subject: 'DC01' });
    expect(cause(message, OF_OTHER_COMPANY).key).not.toBe(cause(message).key);
    expect(cause(message, { jobInstanceUid: OF_OTHER_COMPANY.jobInstanceUid }).key).toBe(cause(message).key);
  });

  it('is another server of that name in another source', () => {
    const message = 'The server kst-vbr-03 does not answer.';
    expect(cause(message, { sourceId: JOB.companyId ?? '' }).key).not.toBe(cause(message).key);
  });

  it('is the repository without space', () => {
    const message = (job: string, gigabytes: number) =>
      `There is not enough space on the disk. Failed to write data to the file ${job}.vbk on Repository 4 (${gigabytes} GB free).`;
    const one = cause(message('Nightly', 0.2));
    expect(one).toMatchObject({ why: 'repository', subject: 'Repository 4' });
    expect(cause(message('Weekly', 11), OF_OTHER_COMPANY).key).toBe(one.key);
    expect(cause(message('Nightly', 0.2), { serverName: 'kst-vbr-04' }).key).not.toBe(one.key);
  });

  it.each([
    'Failed to create a volume snapshot: not enough storage is available for shadow copy on volume C: of PC01.',
    'No space left on device',
    'vCPU quota reached.',
  ])('is no repository in: %s', (message) => {
    expect(cause(message).why).toBe('message');
  });

  it('is the certificate, licence or account, of one company', () => {
    const certificate = 'The application certificate expired. Renew it.';
    expect(cause(certificate).why).toBe('certificate');
    expect(cause(certificate, OF_OTHER_COMPANY).key).not.toBe(cause(certificate).key);
    const login =
      'Login to the virtualization server failed: the user name or the password is not correct (account svc-backup).';
    expect(cause(login)).toMatchObject({ why: 'credentials', subject: 'svc-backup' });
    expect(cause(login, OF_OTHER_COMPANY).key).not.toBe(cause(login).key);
    expect(cause('The license of this server has expired.')).toMatchObject({ why: 'licence', subject: 'kst-vbr-03' });
    expect(cause('2 mailboxes had warnings: user a@b.example has no licence and was skipped.').why).toBe('message');
  });
});

describe('a fault without a message', () => {
  it('is by its server where it is a missed run, else by its job', () => {
    const missed = (job: Partial<FaultJob>) => cause(null, job, { kind: 'missed' });
    expect(missed({})).toMatchObject({ why: 'missed', subject: 'kst-vbr-03' });
    expect(missed(OF_OTHER_COMPANY).key).toBe(missed({}).key);
    expect(missed({ serverName: null })).toMatchObject({ why: 'missed', subject: 'Nightly' });
    expect(missed({ ...OF_OTHER_COMPANY, serverName: null }).key).not.toBe(missed({ serverName: null }).key);
  });

  it('is by job and anomaly where it is an unusual success, unless its message contradicts it', () => {
    const doubtful = (run: Partial<FaultRun>) => cause('Nothing to process.', {}, { kind: 'doubtful', ...run });
    expect(doubtful({ anomalies: ['size', 'duration'] })).toEqual(doubtful({ anomalies: ['duration', 'size'] }));
    expect(doubtful({ anomalies: ['size'] })).toMatchObject({ why: 'anomaly', subject: 'Nightly' });
    expect(doubtful({ anomalies: ['contradiction'] }).why).toBe('message');
  });

  it('is by job where the message has no letter', () => {
    expect(cause('1234')).toMatchObject({ why: 'job', subject: 'Nightly' });
    expect(cause(null, OF_OTHER_COMPANY).key).not.toBe(cause(null).key);
  });
});
