import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { jobNameIn, reportLinesOf } from './report-lines.ts';

test('makes of any name one that a crontab and an address can carry', () => {
  expect(jobNameIn('web server 1')).toBe('web-server-1');
  expect(jobNameIn(' 50% of "all"; rm -rf $HOME ')).toBe('50-of-all-rm-rf-HOME');
  expect(jobNameIn('db.example.test_2')).toBe('db.example.test_2');
});

test('has a name also where nothing of it is left', () => {
  expect(jobNameIn('')).toBe('backup');
  expect(jobNameIn('%%%')).toBe('backup');
});

test('pipes what restic and borg print to the address of the token', () => {
  const address = 'https://portal.test/api/monitoring/intake/abc';
  const [restic, borg, other] = reportLinesOf(address, 'web server 1');
  expect(restic?.line).toMatch(
    /^restic backup --json .* \| curl .* "https:\/\/portal\.test\/api\/monitoring\/intake\/abc\?job=web-server-1"$/,
  );
  expect(borg?.line).toMatch(/^borg create --json .* \| curl .*\/abc\?job=web-server-1"$/);
  expect(other?.line).toContain('exitCode=$c');
});

test('lets the line fail where the portal refuses the report', () => {
  for (const { line } of reportLinesOf('https://portal.test/x', 'a')) expect(line).toContain('curl --fail');
});

test('has nothing in a line that a crontab would take for its end', () => {
  for (const { line } of reportLinesOf('https://portal.test/x', '50%')) expect(line).not.toContain('%');
});

test('sends when the backup began and ended, and its exit code, from a plain shell', () => {
  const [, , other] = reportLinesOf('https://portal.test/x', 'a');
  // The shell runs the line as it is, with a backup that fails and a curl that prints what it would send.
  const line = (other?.line ?? '').replace('/path/to/backup', '(exit 3)');
  const sent = execFileSync('sh', ['-c', `curl() { cat; echo "$*"; }; ${line}`], { encoding: 'utf8' });
  const [body = '', sentTo] = sent.trim().split('\n');
  expect(JSON.parse(body)).toEqual({
    startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
    endedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
    result: 'Success',
  });
  expect(sentTo).toMatch(/https:\/\/portal\.test\/x\?job=a&exitCode=3$/);
});
