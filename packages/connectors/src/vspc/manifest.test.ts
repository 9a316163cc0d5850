import { afterEach, describe, expect, it } from 'vitest';
import type { Console, Resource } from '../testing/console.ts';
import { API_KEY, startConsole } from '../testing/console.ts';
import { quiet, testContext } from '../testing/context.ts';
import { answerJson } from '../testing/vendor.ts';
import { manifest } from './manifest.ts';

let running: Console;
afterEach(() => running?.stop());

async function test(resources: Record<string, Resource>) {
  running = await startConsole(resources);
  return manifest.open({ url: running.url.href, apiKey: API_KEY }, testContext()).test(quiet());
}

const about: Resource = (_, reply) => answerJson(reply, { data: { serverVersion: '9.1.0.30345' } });
const refuse =
  (status: number): Resource =>
  (_, reply) =>
    answerJson(reply, { errors: [{ message: 'No', type: 'unspecified', code: 1 }] }, status);

describe('opening a console', () => {
  it('sends nothing before the first question, and refuses settings that cannot be', async () => {
    running = await startConsole({});
    manifest.open({ url: running.url.href, apiKey: API_KEY }, testContext());
    expect(running.requests).toEqual([]);
    expect(() => manifest.open({}, testContext())).toThrow(/Address/);
  });

  it('marks as secret what must never leave the server again', () => {
    const secrets = manifest.settings.filter((field) => field.kind === 'secret').map((field) => field.name);
    expect(secrets).toEqual(['apiKey', 'password']);
  });
});

describe('testing a console', () => {
  it('answers its version', async () => {
    expect(await test({ about })).toEqual({ version: '9.1.0.30345' });
    expect(running.requests[0]?.headers.authorization).toBe(`Bearer ${API_KEY}`);
  });

  it.each([
    ['the key is unknown', { about: refuse(401) }, 'wrong-credentials'],
    ['the user may not read companies', { about, 'organizations/companies': refuse(403) }, 'not-allowed'],
    ['there is no such API', { about: refuse(404) }, 'wrong-version'],
    ['the API is another one', { about: [] }, 'wrong-version'],
    ['the console has a fault', { about: refuse(500) }, 'not-reachable'],
  ] as const)('when %s answers so', async (_, resources, kind) => {
    await expect(test(resources)).rejects.toMatchObject({ kind });
  });

  it('says that a web page is no console, and does not follow where it points', async () => {
    await expect(test({ about: (_, reply) => void reply.end('<html>') })).rejects.toMatchObject({
      kind: 'wrong-version',
    });
    await running.stop();
    const moved: Resource = (_, reply) => void reply.writeHead(301, { location: 'http://elsewhere.test/' }).end();
    await expect(test({ about: moved })).rejects.toMatchObject({ kind: 'wrong-version' });
    expect(running.requests).toHaveLength(1);
  });
});
