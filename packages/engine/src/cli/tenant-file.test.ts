import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readTenantFile } from './tenant-file.ts';

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keepwatch-tenant-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

async function readText(text: string) {
  return readTenantFile(join(await folderWith({ 'tenant.json': text }), 'tenant.json'));
}

test('reads secrets and certificates, which are beside the file', async () => {
  const applications = [
    { clientId: 'one', secret: 'topsecret' },
    { clientId: 'two', certificateFile: 'two.pem' },
  ];
  const folder = await folderWith({
    'tenant.json': `\ufeff${JSON.stringify({ tenantId: 'contoso', applications, graphUrl: 'http://127.0.0.1:3650/' })}`,
    'two.pem': 'PEM',
  });
  expect(await readTenantFile(join(folder, 'tenant.json'))).toEqual({
    cloud: 'worldwide',
    tenantId: 'contoso',
    graphUrl: 'http://127.0.0.1:3650',
    applications: [applications[0], { clientId: 'two', certificate: { privateKey: 'PEM', certificate: 'PEM' } }],
  });
});

test.each([
  ['[]', /tenant\.json: Invalid input: expected object/],
  [
    '{"tenantId":"x","applications":[{"clientId":"x","secret":"topsecret","secrets":1}]}',
    /applications\.0: Unrecognized key: "secrets"/,
  ],
  ['{"tenantId":"x","cloud":"mars","applications":[{"clientId":"x","secret":"topsecret"}]}', /cloud: /],
  ['{"tenantId":"","applications":[{"clientId":"x","secret":"topsecret"}]}', /tenantId: /],
  ['{"secret":"topsecret" "x"}', /is not JSON/],
  ['', /is not JSON/],
])('says what is wrong in %s, and no secret', async (text, message) => {
  const refusal = await readText(text).then(
    () => '',
    (error: unknown) => String(error),
  );
  expect(refusal).toMatch(message);
  expect(refusal).toContain('docs/engine.md');
  expect(refusal).not.toContain('topsecret');
});

test('says which file is not there, too large or a folder', async () => {
  const folder = await folderWith({ 'large.json': ' '.repeat(1_100_000) });
  await expect(readTenantFile(join(folder, 'none.json'))).rejects.toThrow(/none\.json cannot be read: it is not there/);
  await expect(readTenantFile(join(folder, 'large.json'))).rejects.toThrow(
    /larger than anything that is written by hand/,
  );
  await expect(readTenantFile(folder)).rejects.toThrow(/cannot be read: it is a folder/);
});
