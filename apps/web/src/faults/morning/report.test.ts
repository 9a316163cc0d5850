import { expect, test } from 'vitest';
import { buildFault } from '../testing/faults.ts';
import { endTitle, mailOf, reportText } from './report.ts';
import { beginSession, decide } from './session.ts';

const session = decide(decide(beginSession(0, 'a'), 'resolved', ['a', 'b'], 1), 'in-progress', ['c'], 2);
const inProgress = buildFault(3, { state: 'in-progress', changedBy: 'anna' });
const pending = buildFault(4, { kind: 'missed', daysWithoutFine: null, companyName: null });

test('says what was done, who is on what, and what is open', () => {
  const text = reportText({ session, at: '08:41 AM', duration: '9m', open: [inProgress, pending] });
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
  expect(endTitle({ open: [inProgress], at: '08:41 AM' })).toBe('All clear at 08:41 AM');
});

test('makes the address of a mail of any name, also of half a character, and never one too long for a mail program', () => {
  const open = Array.from({ length: 200 }, (_, number) =>
    buildFault(number, { jobName: `备份 & 100% 🧯 \ud800 ${number}` }),
  );
  const address = mailOf('All clear & more', reportText({ session, at: '08:41 AM', duration: '9m', open }));
  expect(address.length).toBeLessThanOrEqual(1_800);
  const query = new URLSearchParams(address.split('?')[1]);
  expect(query.get('subject')).toBe('All clear & more');
  expect(query.get('body')).toMatch(/备份 & 100% 🧯 .*\n…$/s);
});
