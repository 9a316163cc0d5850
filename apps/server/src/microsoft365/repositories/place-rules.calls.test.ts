import { mkdir, mkdtemp, readdir, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createM365Repository } from '@keepwatch/contract/microsoft365/repositories';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type BuiltOrganization,
  buildM365Repository,
  buildOwnOrganization,
} from '../../testing/microsoft365-builders.ts';
import { startTestPortal, type TestPortal } from '../../testing/test-portal.ts';
import { openPlace } from './open-place.ts';

type Place = CallRequest<typeof createM365Repository>['body']['place'];
const PASSWORD = 'an orange in the attic';

let base: string;
let root: string;
let outside: string;
let portal: TestPortal;
let organization: BuiltOrganization;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'keepwatch-rules-')));
  root = join(base, 'root');
  outside = join(base, 'outside');
  await Promise.all([mkdir(join(base, 'disk')), mkdir(outside)]);
  // The root itself may be a link: an operator moves it to another disk.
  await symlink(join(base, 'disk'), root);
  await symlink(outside, join(root, 'out'));
  await symlink(join(base, 'nowhere'), join(root, 'dead'));
  portal = await startTestPortal(undefined, { repositoryRoot: root, allowPrivateAddresses: false });
  organization = await buildOwnOrganization(portal.database);
});
afterAll(async () => {
  await portal.stop();
  await rm(base, { recursive: true });
});

/** Asks for a repository as the administrator of the organization's company. */
async function ask(place: Place, of = portal, organizationId = organization.id) {
  const admin = await of.as('o365_admin');
  const body = {
    organizationId,
    name: 'Repository',
    place,
    password: PASSWORD,
    repeatPassword: PASSWORD,
    passwordDescription: '',
    retentionPolicy: 7,
  } as const;
  const response = await admin.send(createM365Repository, { body });
  return { status: response.status, reply: await response.json() };
}

const bucket = (endpoint?: string): Place => ({
  kind: 's3',
  ...(endpoint === undefined ? {} : { endpoint }),
  region: 'eu-west-1',
  bucket: 'contoso',
  accessKeyId: 'key',
  secretAccessKey: 'secret key',
});

describe('a folder', () => {
  it('200: is made below the root', async () => {
    const { status, reply } = await ask({ kind: 'folder', path: join(root, 'a', '..', 'contoso') });
    expect([status, reply]).toMatchObject([200, { data: { path: join(root, 'contoso') } }]);
    expect(await readdir(join(base, 'disk'))).toContain('contoso');
  });

  it('200: is made below the root where it is only named', async () => {
    const { status, reply } = await ask({ kind: 'folder', path: 'fabrikam' });
    expect([status, reply]).toMatchObject([200, { data: { path: join(root, 'fabrikam') } }]);
  });

  it.each([
    ['elsewhere', () => join(outside, 'contoso')],
    ['the root itself', () => root],
    ['beside the root with a name that begins like it', () => `${root}-other/contoso`],
    ['led out by ..', () => `${root}/contoso/../../outside/contoso`],
    ['led out by a symbolic link', () => join(root, 'out')],
    ['below a symbolic link that leads out', () => join(root, 'out', 'contoso', 'deeper')],
    ['below a symbolic link that leads nowhere', () => join(root, 'dead', 'contoso')],
    ['named so that it leads out', () => '../outside/contoso'],
  ])('422: is refused %s, and nothing is made', async (_, path) => {
    const before = await Promise.all([base, outside].map((folder) => readdir(folder)));
    const { status, reply } = await ask({ kind: 'folder', path: path() });
    expect([status, reply]).toMatchObject([422, { errors: [{ path: 'place.path' }] }]);
    expect(await Promise.all([base, outside].map((folder) => readdir(folder)))).toEqual(before);
  });

  it('409: is refused inside of another repository and around one, whatever provider it is of', async () => {
    const other = await buildOwnOrganization(portal.database, { providerId: 2 });
    await buildM365Repository(portal.database, other, { path: join(root, 'shared', 'theirs') });
    for (const path of [join(root, 'shared', 'theirs', 'packs'), join(root, 'shared'), join(root, 'shared', 'theirs')])
      expect(await ask({ kind: 'folder', path })).toMatchObject({ status: 409, reply: { code: 'PLACE_IN_USE' } });
    expect(await ask({ kind: 'folder', path: join(root, 'shared', 'theirs-not') })).toMatchObject({ status: 200 });
  });

  it('422: is refused where the operator set no root, and the reply says so', async () => {
    const without = await startTestPortal(undefined, { repositoryRoot: null });
    try {
      const { id } = await buildOwnOrganization(without.database);
      const { status, reply } = await ask({ kind: 'folder', path: join(root, 'contoso') }, without, id);
      expect([status, reply]).toMatchObject([
        422,
        { errors: [{ path: 'place.path', message: expect.stringContaining('REPOSITORY_ROOT') }] },
      ]);
    } finally {
      await without.stop();
    }
  });
});

describe('a bucket', () => {
  it.each([
    'http://s3.example.com',
    'https://127.0.0.1:9000',
    'https://[::1]:9000',
    'https://0x7f.1',
    '169.254.169.254',
    'https://10.1.2.3',
    'https://localhost:9000',
    'ftp://s3.example.com',
  ])('422: is refused at %s where private addresses are not allowed', async (endpoint) => {
    const { status, reply } = await ask(bucket(endpoint));
    expect([status, reply]).toMatchObject([422, { errors: [{ path: 'place.endpoint' }] }]);
  });

  it('is not opened at a name that has become a private one, nor at such an address that is stored', async () => {
    const opened = (endpoint: string, allowPrivateAddresses = false) =>
      openPlace(
        { kind: 's3', place: 's3://contoso', settings: { endpoint, region: 'eu-west-1' } },
        { immutableDays: 0, secrets: { password: PASSWORD, accessKeyId: 'key', secretAccessKey: 'secret' } },
        { allowPrivateAddresses },
      );
    await expect(opened('https://localhost:9')).rejects.toThrow(/private network/);
    await expect(async () => opened('https://127.0.0.1:9')).rejects.toThrow(/private network/);
    await expect(opened('https://localhost:9', true)).rejects.toThrow(/ECONNREFUSED|refused|reached/);
  });

  it('422: is refused for a region that is none', async () => {
    const { status } = await ask({ ...bucket(), region: 'x@10.0.0.1/' } as Place);
    expect(status).toBe(422);
  });
});
