import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RestoreBed, startRestoreBed } from '../restore/testing/restore-bed.ts';
import {
  buildM365Job,
  buildM365Repository,
  buildOwnOrganization,
  buildSession,
} from '../testing/microsoft365-builders.ts';
import { startTestPortal, type TestPortal } from '../testing/test-portal.ts';
import { addDescription } from './description.ts';
import { DOCUMENTED_CALLS } from './documented-calls.fixture.ts';

/** What a client has that was generated from the served description, and knows nothing of the contract. */
interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}
interface Operation {
  parameters: { name: string; in: string; schema: object }[];
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}
interface Answer {
  status: number;
  body: unknown;
  faults: string[];
}

let portal: TestPortal;
let bed: RestoreBed;
let description: Description;
let ajv: Ajv2020;
/** Where each part of the application is answered here, and as whom. */
let portalClient: Client;
let restoreClient: Client;

beforeAll(async () => {
  portal = await startTestPortal(async (server) => addDescription(server, '1.2.3'));
  bed = await startRestoreBed({ kinds: ['mailbox', 'drive', 'site', 'team'], users: 2, sites: 2 });
  description = await (await fetch(`${portal.url}/api/openapi.json`)).json();
  ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ ...description, $id: 'served' });
  portalClient = clientOf(portal.url, (await portal.as('o365_admin')).token ?? '');
  restoreClient = clientOf(bed.url, (await bed.asAdministrator()).token ?? '');
});
afterAll(async () => {
  await portal.stop();
  await bed.stop();
});

const documented = Object.entries(DOCUMENTED_CALLS).flatMap(([area, calls]) =>
  calls.map((call) => ({ area, call, ...methodAndPath(call) })),
);

describe('the served description', () => {
  it.each(documented)('has $call of $area with its parameters and what it answers', ({ method, path }) => {
    const operation = operationOf(method, path);
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    for (const { schema } of operation.parameters) expect(Object.keys(schema)).not.toEqual([]);
    const { 200: done, default: refused } = operation.responses;
    for (const response of [done, refused])
      for (const { schema } of contentsOf(response)) expect(schema).toEqual(expect.any(Object));
    expect(contentsOf(done)).not.toEqual([]);
  });
});

describe('what is answered is what the served description says', () => {
  it('of organizations, repositories, jobs, reports and restore operator roles', async () => {
    const organization = await buildOwnOrganization(portal.database, { name: 'Contoso' });
    const repositoryId = await buildM365Repository(portal.database, organization);
    const jobId = await buildM365Job(portal.database, organization, { repositoryId });
    const sessionId = await buildSession(portal.database, { providerId: 1, id: jobId });
    const ids = { organizationId: organization.id, id: repositoryId, jobId, sessionId };
    const query = { organizationId: organization.id, companyId: organization.companyId };
    for (const area of [
      'm365 organizations',
      'm365 repositories',
      'm365 jobs',
      'm365 reports',
      'm365 restore operator roles',
    ]) {
      const statuses: number[] = [];
      for (const path of readsOf(area)) {
        const answer = await portalClient('GET', path, { ids, query });
        expect([path, answer.faults]).toEqual([path, []]);
        statuses.push(answer.status);
      }
      expect([area, statuses]).toEqual([area, expect.arrayContaining([200])]);
    }
  });

  it('of restore points, and of a session with what is in it', async () => {
    const { id: organizationId, companyId } = bed.organization;
    const read = async (path: string, ids: Record<string, string>, query: Record<string, string> = {}) => {
      const answer = await restoreClient('GET', path, { ids, query });
      expect([path, answer.status, answer.faults]).toEqual([path, 200, []]);
      return answer.body;
    };
    await read('/api/o365/restore/restorepoints', {}, { organizationId });
    const base = '/api/o365/restore/restoresessions/{restoreSessionId}';
    const datetime = new Date(Date.now() + 60_000).toISOString();
    const session = async (sessionType: string) => {
      const body = { companyId, organizationId, datetime, sessionType };
      const answer = await restoreClient('POST', '/api/o365/restore/restoresessions', { body });
      expect([answer.status, answer.faults]).toEqual([200, []]);
      return { restoreSessionId: idOf(answer.body) };
    };
    const mail = await session('vex');
    const mailboxId = firstOf(await read(`${base}/mailboxes`, mail));
    const parentId = firstOf(await read(`${base}/mailboxes/{mailboxId}/folders`, { ...mail, mailboxId }));
    await read(`${base}/mailboxes/{mailboxId}/items`, { ...mail, mailboxId }, { parentId });
    const drives = await session('veod');
    const onedriveId = firstOf(await read(`${base}/onedrives`, drives));
    for (const list of ['folders', 'folders/documents'])
      await read(`${base}/onedrives/{onedriveId}/${list}`, { ...drives, onedriveId }, { parentId: 'Root' });
    const teams = await session('vet');
    const teamId = firstOf(await read(`${base}/teams`, teams));
    const channelId = firstOf(await read(`${base}/teams/{teamId}/channels`, { ...teams, teamId }));
    await read(`${base}/teams/{teamId}/posts`, { ...teams, teamId }, { channelId });
    await read(`${base}/teams/{teamId}/files`, { ...teams, teamId });
    const sites = await session('vesp');
    const siteId = firstOf(await read(`${base}/sharepoint/sites`, sites));
    await read(`${base}/sharepoint/sites/{siteId}/content`, { ...sites, siteId });
    const body = { downloadInBackground: true, fileName: 'Mail' };
    const ids = { ...mail, mailboxId };
    const begun = await restoreClient('POST', `${base}/mailboxes/{mailboxId}/download`, { ids, body });
    expect([begun.status, begun.faults]).toEqual([200, []]);
    await read('/api/o365/restore/downloads/{id}', { id: idOf(begun.body) });
    const listed = await restoreClient('POST', '/api/o365/restore/downloads', { body: {} });
    expect([listed.status, listed.faults]).toEqual([200, []]);
  });

  it('is not found in an answer that lacks a field, or has another type', async () => {
    const of = (body: unknown) => {
      const path = '/api/o365/organizations/names';
      return faultsOf('GET', path, operationOf('GET', path), Response.json(body));
    };
    const organization = { id: crypto.randomUUID(), name: 'Contoso', companyId: crypto.randomUUID(), companyName: 'A' };
    const whole = { success: true, data: [{ ...organization, engine: 'veeam' }] };
    expect((await of(whole)).faults).toEqual([]);
    expect((await of({ success: true, data: [organization] })).faults).toEqual([expect.stringContaining('engine')]);
    expect((await of({ ...whole, data: [{ ...organization, engine: 7 }] })).faults).not.toEqual([]);
  });
});

function methodAndPath(call: string): { method: string; path: string } {
  const [method = '', path = ''] = call.split(' ');
  return { method, path };
}

function operationOf(method: string, path: string): Operation {
  const operation = description.paths[path]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${method} ${path} is not described.`);
  return operation;
}

const contentsOf = (response: Operation['responses'][string] | undefined) => Object.values(response?.content ?? {});

const readsOf = (area: string) =>
  documented.flatMap((one) => (one.area === area && one.method === 'GET' ? [one.path] : []));

interface Asked {
  ids?: Readonly<Record<string, string>>;
  /** Those of them that the call has are sent. */
  query?: Readonly<Record<string, string>>;
  body?: unknown;
}
type Client = (method: string, path: string, asked: Asked) => Promise<Answer>;

function clientOf(url: string, token: string): Client {
  return async (method, path, { ids = {}, query = {}, body }) => {
    const operation = operationOf(method, path);
    const known = new Set(operation.parameters.flatMap((one) => (one.in === 'query' ? [one.name] : [])));
    const asked = new URLSearchParams(Object.entries(query).filter(([name]) => known.has(name)));
    const place = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? crypto.randomUUID()));
    const response = await fetch(`${url}${place}?${asked}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return faultsOf(method, path, operation, response);
  };
}

/** Compares an answer with what is described for its status. A file has a type alone. */
async function faultsOf(method: string, path: string, operation: Operation, response: Response): Promise<Answer> {
  const { status } = response;
  const described = operation.responses[status] === undefined ? 'default' : String(status);
  const type = response.headers.get('content-type')?.split(';')[0] ?? '';
  if (operation.responses[described]?.content?.[type] === undefined)
    return { status, body: await response.text(), faults: [`${status} ${type} is not described`] };
  if (type !== 'application/json') return { status, body: await response.text(), faults: [] };
  const body: unknown = await response.json();
  const part = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
  const place = ['paths', path, method.toLowerCase(), 'responses', described, 'content', type, 'schema'].map((name) =>
    encodeURIComponent(part(name)),
  );
  const validate = ajv.compile({ $ref: `served#/${place.join('/')}` });
  validate(body);
  return { status, body, faults: (validate.errors ?? []).map((fault) => `${fault.instancePath} ${fault.message}`) };
}

/** The id in an answer with one thing: a session, or a download. */
function idOf(body: unknown): string {
  const { data, download } = body as { data?: { id: string }; download?: { id: string } };
  const { id } = data ?? download ?? {};
  if (id === undefined) throw new Error(`No id is in ${JSON.stringify(body)}.`);
  return id;
}

/** The id of the first of a list. */
function firstOf(body: unknown): string {
  const { data } = body as { data: { results: { id: string }[] } | { id: string }[] };
  const [first] = Array.isArray(data) ? data : data.results;
  if (first === undefined) throw new Error('The list is empty.');
  return first.id;
}
