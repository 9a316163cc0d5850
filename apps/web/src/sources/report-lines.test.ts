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
  expect(other?.line).toContain('exitCode=$?');
});

test('lets the line fail where the portal refuses the report', () => {
  for (const { line } of reportLinesOf('https://portal.test/x', 'a')) expect(line).toContain('curl --fail');
});
