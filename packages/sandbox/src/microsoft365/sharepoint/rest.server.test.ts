import { generate } from 'selfsigned';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { assertionOf } from '../testing/sign-in.ts';
import { postForm, type TenantAddress, TenantClient } from '../testing/tenant-client.ts';
import { objectsOf, textOf, valueAt } from '../wire/json.ts';
import { attachmentsOf } from './row-attachments.ts';

let tenant: RunningTenant;
let pem = { private: '', cert: '' };

beforeAll(async () => {
  tenant = await startTenant();
  pem = await generate([{ name: 'commonName', value: 'keeper' }], { keySize: 2048, algorithm: 'sha256' });
  tenant.addCertificate(pem.cert);
});
afterAll(() => tenant.stop());

const scopeOf = (host: string) => `https://${host}/.default`;

async function tokenBy(proof: Record<string, string>, host: string, application = tenant.application) {
  const fields = { grant_type: 'client_credentials', client_id: application.clientId, scope: scopeOf(host), ...proof };
  return postForm(`${tenant.loginUrl}/${tenant.tenantId}/oauth2/v2.0/token`, fields);
}

const certified = (address: TenantAddress = tenant) => assertionOf(address, pem);

function listWithAttachments() {
  for (const site of tenant.tenant.sites.all())
    for (const list of site.lists.values()) {
      const row = list.drive === undefined ? list.items.find(({ hasAttachments }) => hasAttachments) : undefined;
      if (row !== undefined) return { site, list, row };
    }
  throw new Error('There is no row with attachments.');
}

async function open(address?: TenantAddress, proof: Record<string, string> = certified(address)) {
  const found = listWithAttachments();
  const { hostname, path } = found.site.facts;
  const { body } = await tokenBy(proof, hostname, address?.application);
  const client = new TenantClient(tenant, textOf(valueAt(body, 'access_token')) ?? '');
  const base = `${tenant.sharePointUrl}/${hostname}${path}/_api`;
  return { ...found, client, base, rows: `${base}/web/lists(guid'${found.list.facts.id}')/items` };
}

const quoted = (text: string) => encodeURIComponent(text.replaceAll("'", "''"));

test('attachments of rows are listed, read and added, whatever their names', async () => {
  const { client, base, rows, row } = await open();
  const files = `${rows}(${row.id})/AttachmentFiles`;
  const name = "50 % #'s.txt";
  expect(
    (await client.ask('POST', `${files}/addUsingPath(DecodedUrl='${quoted(name)}')`, Buffer.from('x'))).status,
  ).toBe(200);
  const listed = objectsOf(valueAt((await client.get(files)).body, 'value'));
  expect(listed.map(({ FileName }) => FileName)).toEqual([...attachmentsOf(row).keys()]);
  for (const one of listed) {
    const path = quoted(String(valueAt(one, 'ServerRelativePath/DecodedUrl')));
    const { bytes } = await client.get(`${base}/web/GetFileByServerRelativePath(decodedUrl='${path}')/$value`);
    expect(bytes).toEqual(attachmentsOf(row).get(String(one['FileName'])));
  }
});

test('roles are given out of sites, lists and rows, and whether they are their own only to who selects it', async () => {
  const { client, base, rows, list } = await open();
  const web = await client.get(`${base}/web?$select=HasUniqueRoleAssignments`);
  expect(web.body).toEqual({ HasUniqueRoleAssignments: true });
  const found = objectsOf(
    valueAt((await client.get(`${rows}?$select=Id,HasUniqueRoleAssignments&$top=10`)).body, 'value'),
  );
  expect(found).toHaveLength(10);
  const unique = found.find(({ HasUniqueRoleAssignments }) => HasUniqueRoleAssignments === true);
  const roles = `${rows}(${unique?.['Id']})/roleassignments?$expand=Member,RoleDefinitionBindings`;
  expect((await client.get(roles)).body).toMatchObject({
    value: [{ Member: { PrincipalType: 8 }, RoleDefinitionBindings: [{ Name: 'Full Control' }] }, {}],
  });
  const groups = await client.get(`${base}/web/sitegroups?$expand=Users`);
  expect(objectsOf(valueAt(groups.body, 'value')).map(({ Users }) => objectsOf(Users).length)).toEqual([2, 2, 2]);
  expect(list.facts.id).toBeTruthy();
});

test('a secret is refused, so is a token of Graph, and a host of others gets none', async () => {
  const secret = await open(undefined, { client_secret: tenant.application.clientSecret });
  const refused = await secret.client.get(`${secret.base}/web`);
  expect([refused.status, valueAt(refused.body, 'error_description')]).toEqual([401, 'Unsupported app only token.']);
  const graph = await TenantClient.signIn(tenant);
  expect((await graph.get(`${secret.base}/web`)).status).toBe(401);
  const certificate = await open();
  expect((await certificate.client.get('/users')).status).toBe(401);
  expect(await tokenBy(certified(), 'fabrikam.sharepoint.com')).toMatchObject({ body: { error_codes: [500011] } });
});

test('who may read sites may not see who has which role in them', async () => {
  const application = tenant.registerApplication([], ['Sites.Read.All']);
  tenant.tenant.applications
    .findByAppId(application.clientId)
    ?.keyCredentials.push(
      ...(tenant.tenant.applications.findByAppId(tenant.application.clientId)?.keyCredentials ?? []),
    );
  const { client, base, rows, row } = await open({ ...tenant, application });
  expect((await client.get(`${rows}(${row.id})/AttachmentFiles`)).status).toBe(200);
  expect((await client.get(`${base}/web/roleassignments`)).status).toBe(403);
});
