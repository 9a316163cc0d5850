import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WrongSettings } from '../foundation/settings.ts';
import { startFailure } from './start-failure.ts';

test.each([
  ['api', 'PORT'],
  ['sandbox', 'SANDBOX_PORT'],
])('names a port of the %s that is in use, and the setting that changes it', async (role, setting) => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const [error] = await once(createServer().listen(port, '127.0.0.1'), 'error');
  expect(startFailure(role, error)).toBe(
    `The ${role} could not be started: another program listens on port ${port}. End it, or set ${setting} to another port.`,
  );
});

test('wrong settings speak for themselves, and all else says which role it was', () => {
  expect(startFailure('api', new WrongSettings('PORT is "x"'))).toContain('PORT is "x"');
  expect(startFailure('worker', new Error('no memory'))).toBe('The worker could not be started: no memory');
});
