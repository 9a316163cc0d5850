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
  ['Backup of DB-PROD was left out.', 'Backup of WEB-FRONT was left out.'],
  ['Snapshot failed on srv.corp.local', 'Snapshot failed on mail.kunde.intern'],
  ['srv.corp.local: snapshot failed', 'nas.castellano.de: snapshot failed'],
  ['The file core.old could not be read', 'The file access.orig could not be read'],
  ['Block 0x1a2b could not be verified', 'Block 0x80070005 could not be verified'],
  ['Read 0 B of 3 h', 'Read 12.5 KB of 2 d'],
  ['Message 5 of 100 could not be read', 'Message 1204 of 9000 could not be read'],
  ['Tape with barcode 000123 is full', 'Tape with barcode 4711 is full'],
  ['Band mit Strichcode 000123 ist voll', 'Band mit Strichcode 4711 ist voll'],
  ['ERROR 10:30:46 the writer broke', 'ERROR 9:05:00 the writer broke'],
  ['Status 28/11/2026: the writer broke', 'Status 1/12/2026: the writer broke'],
  ['It ended with an error. 3 disks were left out', 'It ended with an error. 12 disks were left out'],
  ['Skipped: budget.xlsx', 'Skipped: outlook.pst'],
  ['Auftrag Nr. 4711 wurde abgebrochen', 'Auftrag Nr. 12 wurde abgebrochen'],
  ['12 Fehler in 3 Dateien', '4 Fehler in 1 Dateien'],
  ['Volume 3 of SRV1001E was skipped', 'Volume 3 of SRV2002W was skipped'],
  ['Object 0x5000c500a1b2c3d4 is gone', 'Object 0x5000c500ffffffff is gone'],
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
  ['Backup ended with ExitCode=1', 'Backup ended with ExitCode=137'],
  ['Upload refused, ErrorCode: 5', 'Upload refused, ErrorCode: 112'],
  ['StatusCode=403 from the store', 'StatusCode=507 from the store'],
  ['{"code": "5", "text": "refused"}', '{"code": "112", "text": "refused"}'],
  ['The hook was ended by signal 9', 'The hook was ended by signal 11'],
  ['The hook exited with 1', 'The hook exited with 137'],
  ['Exception code c0000005', 'Exception code c0000374'],
  ['The hook ended, rc=1', 'The hook ended, rc=12'],
  ['The task ended with 0x1', 'The task ended with 0x41306'],
  ['Systemfehler 53 aufgetreten.', 'Systemfehler 1326 aufgetreten.'],
  ['Fehlercode: 5', 'Fehlercode: 112'],
  ['Fehler Nr. 5', 'Fehler Nr. 112'],
  ["Code d'erreur : 5", "Code d'erreur : 112"],
  ['Código de error: 5', 'Código de error: 112'],
  ['Kod błędu: 5', 'Kod błędu: 112'],
  ['Код ошибки 5', 'Код ошибки 112'],
  ['Ошибка № 5', 'Ошибка № 112'],
  ['エラーコード: 5', 'エラーコード: 112'],
  ['エラーコード5', 'エラーコード112'],
  ['错误代码 5', '错误代码 112'],
  ['Error code E05', 'Error code E17'],
  ['SQL error -911', 'SQL error -805'],
  ['SQLSTATE 08001', 'SQLSTATE 42S02'],
  ['Backup failed: SQL1034C', 'Backup failed: SQL2062N'],
  ['Backup failed: ANS1017E', 'Backup failed: ANS1312E'],
  ['MSSQL: Msg 3041, Level 16', 'MSSQL: Msg 18204, Level 16'],
  ['Message 3041, Level 16', 'Message 18204, Level 16'],
  ['Backup ended: DISK-FULL', 'Backup ended: TAPE-OFFLINE'],
  ['Backup ended: quota.exceeded', 'Backup ended: token.invalid'],
  ['Snapshot failed on SQL01 D: no shadow copy', 'Snapshot failed on SQL01 S: no shadow copy'],
  ['Disk 1 D: could not be read', 'Disk 1 H: could not be read'],
  ['Disk 1 d: could not be read', 'Disk 1 h: could not be read'],
  ['Volume D:\\ could not be read', 'Volume E:\\ could not be read'],
  ['Cannot connect to the agent after 30s', 'Failed to connect to the SQL service within 30s'],
  ['Unable to connect to VSS (0x800423f4)', 'Unable to connect to WMI (0x800423f4)'],
  ['dial tcp 10.0.0.5:8000: connect: connection refused', 'dial tcp 10.0.0.5:5432: connect: connection refused'],
  [
    'ssh: connect to host nas-01 port 22: Connection refused',
    'ssh: connect to host nas-01 port 2222: Connection refused',
  ],
  ['Cannot connect to nas-01: refused on port 443', 'Cannot connect to nas-01: refused on port 445'],
  ["Login failed for user 'sa' on SQL01", "Login failed for user 'sa' on SQL02"],
  [
    'Login to HV-01 failed: the user name or the password is not correct (account administrator1)',
    'Login to HV-02 failed: the user name or the password is not correct (account administrator1)',
  ],
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
    ['Fatal: Get "https://rest/": dial tcp 10.0.0.5:8000: connect: connection refused', '10.0.0.5:8000'],
    ['dial tcp 10.0.0.5:8000: i/o timeout', '10.0.0.5'],
    ['dial tcp: lookup nas.example.com on 127.0.0.53:53: no such host', 'nas.example.com'],
    ['Cnx_Connect: Error message: Failed to connect to server esx01:902', 'esx01'],
    ['connect ECONNREFUSED 127.0.0.1:443', 'kst-vbr-03:443'],
    ['connect ECONNREFUSED ::1:443', 'kst-vbr-03:443'],
    ['dial tcp [::1]:443: connect: connection refused', 'kst-vbr-03:443'],
    ['Failed to connect to [::1]:443', 'kst-vbr-03:443'],
    ['cannot connect to localhost:443', 'kst-vbr-03:443'],
    ['curl: (7) Failed to connect to localhost port 443 after 0 ms: Could not connect to server', 'kst-vbr-03:443'],
    ['connection to server at "localhost" (127.0.0.1), port 443 failed: Connection refused', 'kst-vbr-03:443'],
    [
      'could not connect to server: Connection refused\n\tIs the server running on host "db-01" (10.0.0.5) and accepting\n\tTCP/IP connections on port 5432?',
      'db-01:5432',
    ],
    ['java.net.ConnectException: Connection refused: localhost/127.0.0.1:443', 'kst-vbr-03:443'],
    ["Can't connect to MySQL server on '127.0.0.1:443' (111)", 'kst-vbr-03:443'],
    ['Cannot connect to host SRV001E', 'SRV001E'],
    ['The server localhost does not answer', 'kst-vbr-03'],
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

  it('is the service on the server of the job where a message says that it is on the same computer', () => {
    const refused = (port: number, job: Partial<FaultJob>) => cause(`connect ECONNREFUSED 127.0.0.1:${port}`, job).key;
    expect(refused(443, { serverName: 'srv-a' })).not.toBe(refused(443, { serverName: 'srv-b' }));
    expect(refused(443, { serverName: 'srv-a' })).not.toBe(refused(5432, { serverName: 'srv-a' }));
    expect(refused(443, OF_OTHER_COMPANY)).toBe(refused(443, {}));
    const { jobInstanceUid } = OF_OTHER_COMPANY;
    expect(refused(443, { serverName: null, jobInstanceUid })).not.toBe(refused(443, { serverName: null }));
  });

  it.each([
    'Cannot connect to the agent after 30s',
    'Failed to connect to the service within 1h30m',
    'Failed to connect to the agent at 10:30:46',
    "Can't connect to local MySQL server through socket '/var/run/mysqld/mysqld.sock'",
    'Unable to connect to VSS (0x800423f4)',
    'Unable to connect to the database (SQL1034C)',
    'Failed to connect to localhost',
  ])('is no server in: %s', (message) => {
    expect(cause(message).why).toBe('message');
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

  it('is a repository whose name may be a word only where it is named as one', () => {
    const of = (message: string) => cause(message, { targetName: 'Backup' });
    const [one, other] = ['C: of PC01', 'E: of FILE02'].map((volume) =>
      of(`Backup failed: not enough space on volume ${volume}`),
    );
    expect(one?.why).toBe('message');
    expect(other?.key).not.toBe(one?.key);
    expect(of('Not enough space on "Backup".')).toMatchObject({ why: 'repository', subject: 'Backup' });
    expect(of('Not enough space in repository Backup.')).toMatchObject({ why: 'repository', subject: 'Backup' });
  });

  it.each([
    ["Login failed for user 'sa' on SQL01", 'sa on SQL01'],
    ["Login failed for user 'sa' on server SQL01 at 10:30:46", 'sa on SQL01'],
    ["Login failed for user 'sa' on localhost", 'sa on kst-vbr-03'],
    ["Login failed for user 'sa' on 127.0.0.1", 'sa on kst-vbr-03'],
    ["Login failed for user '.\\admin1' on HV-01", '.\\admin1 on HV-01'],
    ["Login failed for user 'CORP\\sql' on SQL01", 'CORP\\sql'],
    ["Login failed for user 'sql@corp.example' on SQL01", 'sql@corp.example'],
    ["Login failed for user 'sa'", 'sa'],
  ])('is the account, on its host unless it is of a domain: %s', (message, subject) => {
    expect(cause(message)).toMatchObject({ why: 'credentials', subject });
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
