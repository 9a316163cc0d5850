import { createServer, request, type Server } from 'node:http';
import { createM365Repository, editM365Repository } from '@keepwatch/contract/microsoft365/repositories';
import { startFauxqs } from '@keepwatch/engine/store/s3/fauxqs.fixture';
import { makeBucket } from '@keepwatch/engine/store/s3/s3-place.fixture';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rows } from '../../foundation/database.ts';
import { openLog } from '../../foundation/log.ts';
import {
  type BuiltOrganization,
  buildM365Repository,
  buildOwnOrganization,
} from '../../testing/microsoft365-builders.ts';
import { type Caller, startTestPortal, TEST_SECRETS, type TestPortal } from '../../testing/test-portal.ts';
import { openStored } from './open-stored.ts';

const PASSWORD = 'an orange in the attic';
/** The access keys that the store knows at the moment. */
const known = new Set(['FIRST']);

let portal: TestPortal;
let admin: Caller;
let organization: BuiltOrganization;
let bucketStore: Awaited<ReturnType<typeof startFauxqs>>;
let guard: Server;
let endpoint: string;

beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.as('o365_admin');
  organization = await buildOwnOrganization(portal.database);
  bucketStore = await startFauxqs();
  guard = await startGuard(bucketStore.endpoint);
  const address = guard.address();
  endpoint = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(async () => {
  guard.closeAllConnections();
  guard.close();
  await bucketStore.stop();
  await portal.stop();
});

/** fauxqs accepts any keys: what it is not to accept is refused in front of it. */
function startGuard(behind: string): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const id = /Credential=([^/]+)\//.exec(incoming.headers.authorization ?? '')?.[1] ?? '';
    if (!known.has(id)) {
      incoming.resume();
      outgoing.writeHead(403, { 'content-type': 'application/xml' });
      outgoing.end('<Error><Code>InvalidAccessKeyId</Code><Message>The key does not exist.</Message></Error>');
      return;
    }
    const { method, headers, url } = incoming;
    const forwarded = request(new URL(url ?? '/', behind), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

async function makeRepository(): Promise<string> {
  const bucket = await makeBucket(
    { endpoint: bucketStore.endpoint, accessKeyId: 'FIRST', secretAccessKey: 'x' },
    'plain',
  );
  const body = {
    organizationId: organization.id,
    name: 'Bucket',
    place: { kind: 's3', endpoint, region: 'us-east-1', bucket, accessKeyId: 'FIRST', secretAccessKey: 'one' },
    password: PASSWORD,
    repeatPassword: PASSWORD,
    passwordDescription: '',
    retentionPolicy: 7,
  } as const;
  return (await admin.call(createM365Repository, { body })).data.id;
}

it('exchanges the keys of a bucket once they were tested, and opens it with them from then on', async () => {
  const id = await makeRepository();
  const services = { ...portal, secrets: TEST_SECRETS, log: openLog('silent', 'test') };
  await openStored(services, 1, id);
  const change = (accessKeyId: string) =>
    admin.send(editM365Repository, { params: { id }, body: { accessKeyId, secretAccessKey: 'two of them' } });
  const refused = await change('UNKNOWN');
  const text = await refused.text();
  expect([refused.status, text]).toEqual([409, expect.stringContaining('does not know the access key')]);
  expect(text).not.toContain('two of them');
  known.add('SECOND');
  expect((await change('SECOND')).status).toBe(200);
  known.delete('FIRST');
  const { repository, catalog } = await openStored(services, 1, id);
  expect(await catalog.listRestorePoints({ limit: 1, offset: 0 })).toEqual([]);
  const run = await repository.startRun(
    { kind: 'backup', job: 'job', jobName: 'Job', organizationId: 'contoso' },
    catalog,
  );
  await run.abandon();
  known.add('FIRST');
  const entries = await rows<{ after: object }>(
    portal.database,
    sql`select after from audit_entries where target_id = ${id}`,
  );
  expect(JSON.stringify(entries)).not.toContain('two of them');
  expect(JSON.stringify(entries)).toContain('areKeysChanged');
});

it('refuses keys of a folder, and half of them', async () => {
  const id = await buildM365Repository(portal.database, organization);
  const both = { accessKeyId: 'FIRST', secretAccessKey: 'one' };
  for (const body of [both, { accessKeyId: 'FIRST' }, { secretAccessKey: 'one' }])
    expect((await admin.send(editM365Repository, { params: { id }, body })).status).toBe(422);
});
