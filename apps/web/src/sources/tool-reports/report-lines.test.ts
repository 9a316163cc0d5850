import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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

test('shows the lines that the documentation shows', () => {
  const documentation = readFileSync(join(import.meta.dirname, '../../../../../docs/intake.md'), 'utf8');
  const lines = reportLinesOf('https://portal.example.com/api/monitoring/intake/<token>', 'home');
  expect(lines.map(({ tool }) => tool)).toEqual(['restic', 'borg', 'other']);
  for (const { line } of lines) expect(documentation).toContain(` * * * ${line}\n`);
});

test.each(['restic', 'borg'])(
  'sends all that %s prints, and the exit code it ended with, from a plain shell',
  (tool) => {
    const line = reportLinesOf('https://portal.test/x', 'web server 1').find((one) => one.tool === tool)?.line;
    // The tool prints to both outputs and fails; curl shows what it would send, and to where.
    const tools = `${tool}() { echo "$*"; echo unread >&2; return 3; }; curl() { for a; do :; done; echo "$a"; cat "$f"; }`;
    const sent = execFileSync('sh', ['-c', `${tools}; ${line}; test -e "$f" || echo removed`], { encoding: 'utf8' });
    const [sentTo, command, ...rest] = sent.trim().split('\n');
    expect(sentTo).toBe('https://portal.test/x?job=web-server-1&exitCode=3');
    expect(command).toMatch(/ --json .*\/path\/to\/data$/);
    expect(rest).toEqual(['unread', 'removed']);
  },
);

test('says an error where the portal refuses the report', () => {
  for (const { line } of reportLinesOf('https://portal.test/x', 'a')) expect(line).toContain('curl -fsS');
});

test('has no character in a line that a crontab reads as its end', () => {
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
