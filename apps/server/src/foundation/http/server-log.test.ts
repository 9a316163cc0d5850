import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { startTestPortal } from '../../testing/test-portal.ts';

/** A portal that logs at `level`: what it has told, and how it is asked. */
async function startLogging(level: string) {
  const told: { level: number; msg: string }[] = [];
  const log = pino({ level }, { write: (line) => void told.push(JSON.parse(line)) });
  const portal = await startTestPortal(undefined, { log });
  onTestFinished(() => portal.stop());
  const lines = () => told.map(({ level: number, msg }) => `${pino.levels.labels[number]}: ${msg}`);
  return { portal, lines };
}

it('says nothing by itself at the usual level, so that the first line a person reads is the address to open', async () => {
  const { lines } = await startLogging('info');
  expect(lines()).toEqual([]);
});

it('says where it listens to whoever looks closer', async () => {
  const { portal, lines } = await startLogging('debug');
  expect(lines()).toContain(`debug: Server listening at ${portal.url}`);
});

it('says at the usual level that a request was refused', async () => {
  const { portal, lines } = await startLogging('info');
  await portal.anonymous.raw('GET', '/api/monitoring/reporting/jobs');
  expect(lines()).toEqual(['info: a request was refused']);
});
