import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cronLine, jobNameIn, shellLine, TOOLS, testLine, testOf } from './report-lines.ts';
import { reportTextsOf, SCHEDULERS, testTextOf, toolsOf } from './report-texts.ts';
import { systemdService } from './systemd-units.ts';

test('makes of any name one that a crontab and an address can carry', () => {
  expect(jobNameIn('web server 1')).toBe('web-server-1');
  expect(jobNameIn(' 50% of "all"; rm -rf $HOME ')).toBe('50-of-all-rm-rf-HOME');
  expect(jobNameIn('db.example.test_2')).toBe('db.example.test_2');
});

test('makes two jobs of two names in letters that an address cannot carry, and one of one', () => {
  const names = ['東京バックアップ', '大阪バックアップ', 'Резервная копия', 'Büro', 'Bäro', 'Buro'];
  const made = names.map(jobNameIn);
  expect(new Set(made).size).toBe(names.length);
  for (const name of made) expect(name).toMatch(/^(backup|B[au]ro)(-[0-9a-z]+)?$/);
  expect(jobNameIn(made[0] ?? '')).toBe(made[0]);
  expect(jobNameIn('Bu\u0308ro')).toBe(jobNameIn('B\u00fcro'));
});

test('ends as the backup did, or as the report did where that failed', () => {
  const ended = (tool: 'restic' | 'other', backup: number, report: number) => {
    const functions = `restic() { return ${backup}; }; curl() { cat >/dev/null; return ${report}; }`;
    const line = shellLine(tool, here('a')).replace('/path/to/backup', `(exit ${backup})`);
    return spawnSync('sh', ['-c', `${functions}; ${line}`], { input: '' }).status;
  };
  for (const tool of ['restic', 'other'] as const)
    expect([ended(tool, 0, 0), ended(tool, 3, 0), ended(tool, 0, 7), ended(tool, 3, 7)]).toEqual([0, 3, 7, 7]);
});

test('has a name also where nothing of it is left', () => {
  expect(jobNameIn('')).toBe('backup');
  expect(jobNameIn('%%%')).toBe('backup');
});

const documented = { address: 'https://portal.example.com/api/monitoring/intake/<token>', jobName: 'home' };
const here = (jobName: string) => ({ address: 'https://portal.test/x', jobName });

// Those are really executed: documented-reports.test.ts of the server.
test('shows the texts that the documentation shows', () => {
  const documentation = readFileSync(join(import.meta.dirname, '../../../../../docs/intake.md'), 'utf8');
  const texts = SCHEDULERS.flatMap((scheduler) => [
    ...(scheduler === 'cron' ? TOOLS : (['restic'] as const)).flatMap((tool) =>
      reportTextsOf(scheduler, tool, documented),
    ),
  ]);
  expect(texts).toHaveLength(10);
  for (const { text } of [...texts, testTextOf('cron', documented)])
    expect(documentation.includes(`    ${text}\n`) || documentation.includes(`\n\`\`\`\n${text}\n\`\`\`\n`), text).toBe(
      true,
    );
});

test.each(['restic', 'borg'] as const)(
  'sends all that %s prints, and the exit code it ended with, from a plain shell',
  (tool) => {
    const line = shellLine(tool, here('web server 1'));
    // The tool prints to both outputs and fails; curl shows what it would send, and to where.
    const tools = `${tool}() { echo "$*"; echo unread >&2; return 3; }; curl() { for a; do :; done; echo "$a"; cat "$f"; }`;
    const sent = execFileSync('sh', ['-c', `${tools}; ${line} || test -e "$f" || echo removed`], { encoding: 'utf8' });
    const [sentTo, command, ...rest] = sent.trim().split('\n');
    expect(sentTo).toBe('https://portal.test/x?job=web-server-1&exitCode=3');
    expect(command).toMatch(/ --json .*\/path\/to\/data$/);
    expect(rest).toEqual(['unread', 'removed']);
  },
);

test('says an error where the portal refuses the report', () => {
  for (const tool of TOOLS) expect(shellLine(tool, here('a'))).toContain('curl -fsS');
});

test('has no character in a line that a crontab reads as its end', () => {
  for (const tool of TOOLS) expect(cronLine(tool, here('50%'))).not.toContain('%');
  expect(testLine(here('50%'))).not.toContain('%');
});

test('sends when the backup began and ended, and its exit code, from a plain shell', () => {
  // The shell runs the line as it is, with a backup that fails and a curl that prints what it would send.
  const line = shellLine('other', here('a')).replace('/path/to/backup', '(exit 3)');
  const sent = execFileSync('sh', ['-c', `curl() { cat; echo "$*"; }; ${line} || :`], { encoding: 'utf8' });
  const [body = '', sentTo] = sent.trim().split('\n');
  expect(JSON.parse(body)).toEqual({
    startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
    endedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
    result: 'Success',
  });
  expect(sentTo).toMatch(/https:\/\/portal\.test\/x\?job=a&exitCode=3$/);
});

test.each(TOOLS)('the service of systemd runs the line of the shell for %s', (tool) => {
  const [, quoted = ''] = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(systemdService(tool, here('a'))) ?? [];
  expect(quoted.replaceAll(/\$\$|%%|\\\\/g, ([first = '']) => first)).toBe(shellLine(tool, here('a')));
});

test('offers what a scheduler can start', () => {
  expect(SCHEDULERS.map(toolsOf)).toEqual([TOOLS, TOOLS, ['restic', 'other'], []]);
});

test('gives test runs a job of their own, whose name is not too long either', () => {
  expect(testOf(here('web server 1')).jobName).toBe('web-server-1-test');
  expect(testOf(here('x'.repeat(200))).jobName.length).toBeLessThanOrEqual(200);
});

test('writes PowerShell for anything else, too, with the token in it once', () => {
  const [script, task] = reportTextsOf('windows', 'other', here('a'));
  expect(script?.text.split('https://portal.test/x')).toHaveLength(2);
  expect(script?.text).toContain('exitCode=$code');
  expect(task?.text).toContain("-TaskName 'Backup a'");
  expect(testTextOf('windows', here('a')).text).toContain("tool = 'Test run'");
});
