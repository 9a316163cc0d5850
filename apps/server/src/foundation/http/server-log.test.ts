import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { startTestPortal } from '../../testing/test-portal.ts';

/** Starts a portal that logs at `level`; gives the portal and the lines that it has logged. */
async function startLogging(level: string) {
  const reported: { level: number; msg: string }[] = [];
  const log = pino({ level }, { write: (line) => void reported.push(JSON.parse(line)) });
  const portal = await startTestPortal(undefined, { log });
  onTestFinished(() => portal.stop());
  const lines = () => reported.map(({ level: number, msg }) => `${pino.levels.labels[number]}: ${msg}`);
  return { portal, lines };
}

it('logs nothing at its start at the usual level, so that the first line a person reads is the address to open', async () => {
  const { lines } = await startLogging('info');
  expect(lines()).toEqual([]);
});

it('logs where it listens at the level debug', async () => {
  const { portal, lines } = await startLogging('debug');
  expect(lines()).toContain(`debug: Server listening at ${portal.url}`);
});

it('says at the usual level that a request was refused', async () => {
  const { portal, lines } = await startLogging('info');
  await portal.anonymous.raw('GET', '/api/monitoring/reporting/jobs');
  expect(lines()).toEqual(['info: a request was refused']);
});
