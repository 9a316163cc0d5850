import { expect, test } from 'vitest';
import { buildFault } from '../testing/faults.ts';
import { endTitle, mailOf, reportText } from './report.ts';
import { beginSession, decide } from './session.ts';

const resolved = decide(beginSession(0, 'a'), { deed: 'resolved', faults: [{ _id: 'a' }, { _id: 'b' }] }, 1);
const session = decide(resolved, { deed: 'in-progress', faults: [{ _id: 'c' }] }, 2);
const allRead = { unread: 0, notRead: null };
const inProgress = buildFault(3, { state: 'in-progress', changedBy: 'anna' });
const pending = buildFault(4, { kind: 'missed', daysWithoutFine: null, companyName: null });

test('says what was done, who is on what, and what is open', () => {
  const text = reportText({ session, at: '08:41 AM', duration: '9m', open: [inProgress, pending], ...allRead });
  expect(text).toBe(
    [
      '1 fault left at 08:41 AM: 3 faults handled in 9m (2 resolved, 1 in progress).',
      '',
      'In progress:',
      '- Job 3 (Acme): anna',
      '',
      'Open:',
      "- Job 4 (no company): Didn't run. No good restore point so far.",
    ].join('\n'),
  );
  expect(endTitle({ open: [inProgress], at: '08:41 AM', ...allRead })).toBe('All clear at 08:41 AM');
});

test('says that all is clear only where all faults and all sources were read', () => {
  const notRead = '1 source has not been read since 03/12/26 12:00 PM. Runs since then are not known.';
  const ending = { session, at: '08:41 AM', duration: '9m', open: [inProgress], ...allRead };
  expect(endTitle({ ...ending, unread: 2 })).toBe('2 faults left at 08:41 AM');
  expect(reportText({ ...ending, unread: 2 })).toContain(
    '\n2 more faults are open than can be gone through at once.\n',
  );
  expect(endTitle({ ...ending, notRead })).toBe('No open faults at 08:41 AM');
  expect(reportText({ ...ending, notRead })).toContain(`\n${notRead}\n`);
});

test('says only of jobs whose last run made no restore point that they have no good one', () => {
  const faults = [
    buildFault(1, { kind: 'warning' }),
    buildFault(2, { kind: 'doubtful', anomalies: ['size'] }),
    buildFault(3, { kind: 'doubtful', anomalies: ['size', 'no-restore-point'] }),
    buildFault(4, { kind: 'doubtful', anomalies: ['contradiction'] }),
  ];
  const lines = reportText({ session, at: '08:41 AM', duration: '9m', open: faults, ...allRead }).split('\n');
  expect(lines.filter((line) => line.startsWith('- '))).toEqual([
    '- Job 1 (Acme): Warning. Not fine for 4 days.',
    '- Job 2 (Acme): Doubtful. Not fine for 4 days.',
    '- Job 3 (Acme): Doubtful. No good restore point for 4 days.',
    '- Job 4 (Acme): Doubtful. No good restore point for 4 days.',
  ]);
});

test('makes the address of a mail of any name, also of half a character, and never one too long for a mail program', () => {
  const open = Array.from({ length: 200 }, (_, number) =>
    buildFault(number, { jobName: `备份 & 100% 🧯 \ud800 ${number}` }),
  );
  const address = mailOf('All clear & more', reportText({ session, at: '08:41 AM', duration: '9m', open, ...allRead }));
  expect(address.length).toBeLessThanOrEqual(1_800);
  const query = new URLSearchParams(address.split('?')[1]);
  expect(query.get('subject')).toBe('All clear & more');
  expect(query.get('body')).toMatch(/备份 & 100% 🧯 .*\n…$/s);
});
