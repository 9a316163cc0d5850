import { expect, test } from 'vitest';
import { isWorthShowing } from './postgres-log.ts';

test.each([
  'PostgreSQL of a program that was killed still runs (process 5): stopping it.',
  'FATAL:  could not write to file "pg_wal/xlogtemp.1": No space left on device',
  'LOG:  server process (PID 9) was terminated by signal 9: Killed',
  'LOG:  database system was not properly shut down; automatic recovery in progress',
])('shows what a person should know: %s', (line) => {
  expect(isWorthShowing(line)).toBe(true);
});

test.each([
  'LOG:  database system is ready to accept connections',
  'FATAL:  terminating autovacuum process due to administrator command',
  'DETAIL:  Failed process was running: select 1',
  '\tsecond line of a statement',
])('keeps routine to itself: %s', (line) => {
  expect(isWorthShowing(line)).toBe(false);
});
