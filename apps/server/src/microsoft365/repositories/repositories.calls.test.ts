import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createM365Repository,
  deleteM365Repository,
  editM365Repository,
  listM365Repositories,
  listRepositoriesOf,
} from '@keepwatch/contract/microsoft365/repositories';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { startVersioningS3 } from '@keepwatch/engine/store/s3/versioning-s3.fixture';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rows } from '../../foundation/database.ts';
import { openLog } from '../../foundation/log.ts';
import { newId } from '../../foundation/secrets.ts';
import {
  type BuiltOrganization,
  buildM365Job,
  buildOwnOrganization,
  buildSession,
} from '../../testing/microsoft365-builders.ts';
import { type Caller, startTestPortal, TEST_SECRETS, type TestPortal } from '../../testing/test-portal.ts';
import { measureRepositories } from './measure-repositories.ts';
import { openStored } from './open-stored.ts';
import { SEALED_REPOSITORY_SECRETS } from './repository-secrets.ts';

type Body = CallRequest<typeof createM365Repository>['body'];
const PASSWORD = 'an orange in the attic';

let portal: TestPortal;
let admin: Caller;
let organization: BuiltOrganization;
let folder: string;
let folders = 0;

beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.as('o365_admin');
  organization = await buildOwnOrganization(portal.database);
  folder = await mkdtemp(join(tmpdir(), 'keepwatch-repositories-'));
});
afterAll(async () => {
  await portal.stop();
  await rm(folder, { recursive: true });
});

/** A repository in a new folder. */
function bodyOf(given: Partial<Body> = {}): Body {
  folders += 1;
  return {
    organizationId: organization.id,
    name: `Repository ${folders}`,
    place: { kind: 'folder', path: join(folder, String(folders)) },
    password: PASSWORD,
    repeatPassword: PASSWORD,
    passwordDescription: 'in the safe',
    retentionPolicy: 7,
    ...given,
  };
}

const bucketOf = (endpoint: string) =>
  ({
    kind: 's3',
    endpoint,
    region: 'eu-west-1',
    bucket: 'contoso',
    prefix: 'backups',
    accessKeyId: 'first',
    secretAccessKey: 'secret of first',
  }) as const;

const make = async (given: Partial<Body> = {}) =>
  (await admin.call(createM365Repository, { body: bodyOf(given) })).data;
const services = () => ({
  ...portal,
  secrets: TEST_SECRETS,
  log: openLog('silent', 'test'),
  now: () => portal.clock.now,
});

describe('POST o365/repositories', () => {
  it('200: makes a repository in the place, which the password that is stored opens, and no reply or entry contains it', async () => {
    const body = bodyOf();
    const response = await admin.send(createM365Repository, { body });
    const text = await response.text();
    expect([response.status, text]).toEqual([200, expect.stringContaining('in the safe')]);
    const { data } = JSON.parse(text);
    expect(data).toMatchObject({ name: body.name, path: join(folder, String(folders)), kind: 'folder', jobCount: 0 });
    const { repository } = await openStored(services(), 1, data.id);
    expect(repository.description).toContain(data.path);
    const entries = await rows<{ action: string }>(
      portal.database,
      sql`select action, after from audit_entries where target_id = ${data.id}`,
    );
    expect(entries).toMatchObject([{ action: 'm365-repository.create' }]);
    expect(`${text} ${JSON.stringify(entries)}`).not.toContain(PASSWORD);
    const stored = await rows<{ text: string }>(portal.database, sql`select r::text as text from m365_repositories r`);
    expect(JSON.stringify(stored)).not.toContain(PASSWORD);
  });

  it('409: leaves a folder with other files as it is', async () => {
    const photos = await mkdtemp(join(folder, 'photos-'));
    await writeFile(join(photos, 'holiday.jpg'), 'x');
    const body = bodyOf({ place: { kind: 'folder', path: photos } });
    const response = await admin.send(createM365Repository, { body });
    expect([response.status, await response.json()]).toMatchObject([409, { message: /is not empty: it has/ }]);
    expect(await readdir(photos)).toEqual(['holiday.jpg']);
  });

  it('409: says which place another repository has, and which cannot be written', async () => {
    const { path } = await make();
    const used = await admin.send(createM365Repository, {
      body: bodyOf({ place: { kind: 'folder', path: `${path}/` } }),
    });
    expect([used.status, await used.json()]).toMatchObject([409, { code: 'PLACE_IN_USE' }]);
    const file = join(folder, 'file');
    await writeFile(file, 'x');
    const refused = await admin.send(createM365Repository, { body: bodyOf({ place: { kind: 'folder', path: file } }) });
    expect([refused.status, await refused.json()]).toMatchObject([409, { message: expect.stringContaining(file) }]);
  });

  it('409: names the bucket that does not answer', async () => {
    const place = {
      kind: 's3',
      endpoint: 'http://127.0.0.1:9',
      region: 'eu-west-1',
      bucket: 'contoso',
      accessKeyId: 'key',
      secretAccessKey: 'secret key',
    } as const;
    const response = await admin.send(createM365Repository, { body: bodyOf({ place }) });
    const reply = await response.text();
    expect([response.status, reply]).toEqual([409, expect.stringContaining('contoso')]);
    expect(reply).not.toContain('secret key');
  });

  it('422: refuses passwords that differ, a lock of a folder and a path that leads out of the root', async () => {
    const refusals = [
      bodyOf({ repeatPassword: `${PASSWORD}!` }),
      bodyOf({ immutableDays: 30 }),
      bodyOf({ place: { kind: 'folder', path: '../../../backups' } }),
    ];
    for (const body of refusals) expect((await admin.send(createM365Repository, { body })).status).toBe(422);
  });

  it('404: an organization of another provider', async () => {
    const { id } = await buildOwnOrganization(portal.database, { providerId: 2 });
    expect((await admin.send(createM365Repository, { body: bodyOf({ organizationId: id }) })).status).toBe(404);
  });
});

describe('GET o365/repositories', () => {
  it('200: lists those of an organization with their usage, or one of them', async () => {
    const own = await buildOwnOrganization(portal.database, { name: 'Fabrikam' });
    const { id } = await make({ organizationId: own.id, name: 'B' });
    await make({ organizationId: own.id, name: 'a' });
    await measureRepositories(services(), new AbortController().signal);
    const { data } = await admin.call(listM365Repositories, { query: { organizationId: own.id } });
    expect(data).toMatchObject([
      { name: 'a', organizationName: 'Fabrikam', usedBytes: expect.any(Number), freeBytes: expect.any(Number) },
      { name: 'B', retentionPolicy: 7, passwordDescription: 'in the safe', measuredAt: expect.any(String) },
    ]);
    const one = await admin.call(listM365Repositories, { query: { organizationId: own.id, repositoryId: id } });
    expect(one.data.map(({ name }) => name)).toEqual(['B']);
    const all = await admin.call(listRepositoriesOf, { body: { organizationsIds: [own.id, newId()] } });
    expect(all.data).toEqual(data);
  });

  it('200: shows the usage after a run without waiting for the hour', async () => {
    const own = await buildOwnOrganization(portal.database, { name: 'Northwind' });
    const { id } = await make({ organizationId: own.id });
    const signal = new AbortController().signal;
    const at = portal.clock.now;
    await measureRepositories(services(), signal);
    const measured = async () => {
      const query = { organizationId: own.id, repositoryId: id };
      return (await admin.call(listM365Repositories, { query })).data[0]?.measuredAt;
    };
    expect(await measured()).toBe(at.toISOString());
    const later = { ...services(), now: () => new Date(at.getTime() + 120_000) };
    await measureRepositories(later, signal);
    expect(await measured()).toBe(at.toISOString());
    const jobId = await buildM365Job(portal.database, own, { repositoryId: id });
    await buildSession(portal.database, { providerId: 1, id: jobId }, { startedAt: at });
    await measureRepositories(later, signal);
    expect(await measured()).toBe(later.now().toISOString());
  });

  it('404: an organization outside the scope, and a repository that is not there', async () => {
    const limited = await portal.as('o365_admin', {
      companyIds: [(await buildOwnOrganization(portal.database)).companyId],
    });
    const query = { organizationId: organization.id };
    expect((await limited.send(listM365Repositories, { query })).status).toBe(404);
    expect((await admin.send(listM365Repositories, { query: { ...query, repositoryId: newId() } })).status).toBe(404);
  });
});

describe('PATCH o365/repositories/{id}', () => {
  it('200: changes what is given, and records before and after', async () => {
    const { id } = await make();
    const body = { name: 'Renamed', retentionPolicy: null };
    const { data } = await admin.call(editM365Repository, { params: { id }, body });
    expect(data).toMatchObject({ ...body, passwordDescription: 'in the safe' });
    const [, entry] = await rows(
      portal.database,
      sql`select before, after from audit_entries where target_id = ${id} order by at, action`,
    );
    expect(entry).toMatchObject({ before: { retentionPolicy: 7 }, after: { name: 'Renamed', retentionPolicy: null } });
  });

  it('200: takes new keys of a bucket when they open it, and says why not; no reply or entry contains the secret', async () => {
    const options = { aheadMs: 0, heedsConditions: true, accessKeyId: 'first' };
    const server = await startVersioningS3(options);
    const { id } = await make({ place: bucketOf(server.endpoint) });
    const edit = (accessKeyId: string) =>
      admin.send(editM365Repository, {
        params: { id },
        body: { bucketKeys: { accessKeyId, secretAccessKey: `secret of ${accessKeyId}` } },
      });
    options.accessKeyId = 'second';
    await expect(openStored(services(), 1, id)).rejects.toThrow(/contoso/);
    const refused = await edit('third');
    expect([refused.status, await refused.json()]).toMatchObject([409, { message: /contoso/ }]);
    const changed = await edit('second');
    const text = await changed.text();
    expect([changed.status, text]).toEqual([200, expect.stringContaining('s3://contoso/backups')]);
    expect((await openStored(services(), 1, id)).repository.description).toContain('contoso');
    const entries = await rows(
      portal.database,
      sql`select after from audit_entries where target_id = ${id} order by at`,
    );
    expect(entries.at(-1)).toMatchObject({ after: { accessKeyId: 'second' } });
    expect(`${text} ${JSON.stringify(entries)}`).not.toContain('secret of');
    await server.stop();
  });

  it('422: a folder has no keys', async () => {
    const { id } = await make();
    const body = { bucketKeys: { accessKeyId: 'key', secretAccessKey: 'secret' } };
    expect((await admin.send(editM365Repository, { params: { id }, body })).status).toBe(422);
  });

  it('404: a repository that is not there', async () => {
    expect((await admin.send(editM365Repository, { params: { id: newId() }, body: {} })).status).toBe(404);
  });
});

describe('DELETE o365/repositories', () => {
  it('200: removes an empty repository from the portal, and leaves its files', async () => {
    const { id, path, companyId } = await make();
    await admin.call(deleteM365Repository, { body: { id, companyId, repository: '' } });
    expect(await readdir(path)).toContain('keepwatch-repository');
    expect((await admin.send(deleteM365Repository, { body: { id, companyId, repository: '' } })).status).toBe(404);
  });

  it('409: names the jobs that use it', async () => {
    const { id, companyId, name } = await make();
    await buildM365Job(portal.database, organization, { repositoryId: id });
    const response = await admin.send(deleteM365Repository, { body: { id, companyId, repository: name } });
    expect([response.status, await response.json()]).toMatchObject([409, { code: 'REPOSITORY_IN_USE' }]);
  });

  it('422: asks for the name of one that has backups, or may have since it cannot be opened', async () => {
    const { id, companyId, path, name } = await make();
    await rm(path, { recursive: true });
    const response = await admin.send(deleteM365Repository, { body: { id, companyId, repository: 'another' } });
    expect(response.status).toBe(422);
    await admin.call(deleteM365Repository, { body: { id, companyId, repository: name } });
  });

  it('404: the company of another repository', async () => {
    const { id, name } = await make();
    const body = { id, companyId: (await buildOwnOrganization(portal.database)).companyId, repository: name };
    expect((await admin.send(deleteM365Repository, { body })).status).toBe(404);
  });
});

describe('a repository whose password was lost with the key of the stored secrets', () => {
  const list = async (repositoryId: string) =>
    (await admin.call(listM365Repositories, { query: { organizationId: organization.id, repositoryId } })).data[0];
  const edit = (id: string, body: CallRequest<typeof editM365Repository>['body']) =>
    admin.send(editM365Repository, { params: { id }, body });

  it('says so, and opens again once its password is entered', async () => {
    const { id } = await make();
    await SEALED_REPOSITORY_SECRETS.forget(portal.database);
    expect(await list(id)).toMatchObject({ needsPassword: true });
    await expect(openStored(services(), 1, id)).rejects.toMatchObject({
      code: 'wrong-password',
      message: expect.stringContaining('Edit the repository and enter it again'),
    });
    expect((await edit(id, { password: 'another long password' })).status).toBe(409);
    const changed = await edit(id, { password: PASSWORD });
    expect([changed.status, await changed.text()]).toEqual([200, expect.not.stringContaining(PASSWORD)]);
    expect(await list(id)).toMatchObject({ needsPassword: false });
    expect((await openStored(services(), 1, id)).repository.description).toContain(folder);
  });

  it('422: asks for the keys of its bucket, too', async () => {
    const server = await startVersioningS3({ aheadMs: 0, heedsConditions: true, accessKeyId: 'first' });
    const { id } = await make({ place: { ...bucketOf(server.endpoint), prefix: 'lost' } });
    await SEALED_REPOSITORY_SECRETS.forget(portal.database);
    const bucketKeys = { accessKeyId: 'first', secretAccessKey: 'secret of first' };
    expect(await (await edit(id, { bucketKeys })).json()).toMatchObject({ errors: [{ path: 'body.password' }] });
    expect(await (await edit(id, { password: PASSWORD })).json()).toMatchObject({
      errors: [{ path: 'body.bucketKeys.accessKeyId' }],
    });
    expect((await edit(id, { password: PASSWORD, bucketKeys })).status).toBe(200);
    await server.stop();
  });
});
