import {
  listOrganizationGroups,
  listOrganizationSites,
  listOrganizationSubsites,
  listOrganizationTeams,
  listOrganizationUsers,
} from '@keepwatch/contract/microsoft365/organizations';
import { blankUser } from '@keepwatch/sandbox/microsoft365/directory/build-directory';
import { type RunningTenant, startTenant } from '@keepwatch/sandbox/microsoft365/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../foundation/secrets.ts';
import { buildCompany } from '../../../testing/builders.ts';
import { buildOrganization } from '../../../testing/microsoft365-builders.ts';
import { addressesOf, type Caller, startTestPortal, type TestPortal } from '../../../testing/test-portal.ts';

const USERS = 2_500;
let tenant: RunningTenant;
let portal: TestPortal;
let admin: Caller;
let organizationId: string;
let companyId: string;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

beforeAll(async () => {
  tenant = await startTenant({ size: 'medium' });
  for (let number = 0; number < USERS; number += 1) {
    const name = `Person ${String(number).padStart(5, '0')}`;
    tenant.tenant.directory.putUser(blankUser(tenant.tenant, newId(), `person${number}`, name));
  }
  portal = await startTestPortal(undefined, { microsoft: addressesOf(tenant.url) });
  admin = await portal.as('o365_admin');
  companyId = await buildCompany(portal.database);
  const { clientId, clientSecret: secret } = tenant.application;
  const application = { clientId, proof: { secret } };
  organizationId = await buildOrganization(portal.database, { companyId, tenantId: tenant.tenantId, application });
});
afterAll(async () => {
  await portal.stop();
  await tenant.stop();
});

/** Requests to Graph that a call makes. */
async function counted<T>(work: () => Promise<T>): Promise<{ reply: T; requests: number }> {
  tenant.resetRequests();
  const reply = await work();
  return { reply, requests: tenant.requests().total };
}

const params = () => ({ organizationId });

describe('Users to choose from', () => {
  it('come a page at a time in their order, with the count of all, and the first page by one request', async () => {
    const all = tenant.tenant.directory.users.length;
    const { reply, requests } = await counted(() =>
      admin.call(listOrganizationUsers, { params: params(), query: { limit: 50 } }),
    );
    expect(reply).toMatchObject({ count: all, isWhole: true });
    expect(reply.data).toHaveLength(50);
    expect(requests).toBe(1);
    const names = reply.data.map(({ name }) => name);
    expect(names).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)));
    const last = await counted(() =>
      admin.call(listOrganizationUsers, { params: params(), query: { limit: 50, offset: all - 20 } }),
    );
    expect(last.reply.data).toHaveLength(20);
    expect(last.requests).toBe(Math.ceil(all / 999));
    // What was scrolled over is there.
    const back = await counted(() =>
      admin.call(listOrganizationUsers, { params: params(), query: { limit: 50, offset: 1_000 } }),
    );
    expect(back.requests).toBe(0);
  });

  it('are searched by Microsoft, by name and by address', async () => {
    const search = async (text: string) =>
      admin.call(listOrganizationUsers, { params: params(), query: { search: text, limit: 5 } });
    expect(await search('Person 0012')).toMatchObject({ count: 10, data: expect.arrayContaining([]) });
    expect(await search('person2499@')).toMatchObject({
      count: 1,
      data: [{ name: 'Person 02499', address: `person2499@${tenant.domain}`, isPersonal: false, hasChildren: false }],
    });
    expect(await search('no such "person\\')).toMatchObject({ count: 0, data: [], isWhole: true });
  });
});

describe('Groups, teams and sites to choose from', () => {
  it('are all groups, and the teams among them', async () => {
    const groups = await admin.call(listOrganizationGroups, { params: params(), query: { limit: 100 } });
    const teams = await admin.call(listOrganizationTeams, { params: params(), query: { limit: 100 } });
    const all = tenant.tenant.directory.groups;
    expect(groups.count).toBe(all.length);
    expect(teams.data.map(({ id }) => id).toSorted()).toEqual(
      all
        .filter(({ hasTeam }) => hasTeam)
        .map(({ id }) => id)
        .toSorted(),
    );
    const [first] = teams.data;
    const found = await admin.call(listOrganizationTeams, { params: params(), query: { search: first?.name ?? '' } });
    expect(found.data).toContainEqual(first);
  });

  it('are sites at the top with those below them, and personal ones where they are asked for', async () => {
    const sites = await admin.call(listOrganizationSites, { params: params(), query: { limit: 100 } });
    const parent = sites.data.find(({ hasChildren }) => hasChildren);
    expect(parent).toMatchObject({ address: expect.stringContaining('https://'), isPersonal: false });
    expect(sites.isWhole).toBe(true);
    const childParams = { organizationId, siteId: parent?.id ?? '' };
    const children = await admin.call(listOrganizationSubsites, { params: childParams, query: {} });
    expect(children.count).toBeGreaterThan(0);
    const [child] = children.data;
    const searched = await admin.call(listOrganizationSites, {
      params: params(),
      query: { search: child?.name ?? '' },
    });
    expect(searched.data.map(({ id }) => id)).toContain(child?.id);
    const all = await admin.call(listOrganizationSites, {
      params: params(),
      query: { limit: 1_000, includePersonalSites: true },
    });
    expect(all.data.filter(({ isPersonal }) => isPersonal).length).toBeGreaterThan(0);
    expect(all.count).toBeGreaterThan(sites.count);
  });
});

describe('What cannot be listed', () => {
  it('404: is an organization that is not there, or a site', async () => {
    for (const call of [listOrganizationUsers, listOrganizationGroups, listOrganizationTeams, listOrganizationSites])
      expect((await admin.send(call, { params: { organizationId: UNKNOWN }, query: {} })).status).toBe(404);
    const noSite = { organizationId, siteId: 'contoso.sharepoint.com,1,2' };
    expect((await admin.send(listOrganizationSubsites, { params: noSite, query: {} })).status).toBe(404);
    const none = { organizationId: UNKNOWN, siteId: 'x' };
    expect((await admin.send(listOrganizationSubsites, { params: none, query: {} })).status).toBe(404);
  });

  it('says why, where the application may not or there is none', async () => {
    const { clientId, clientSecret: secret } = tenant.registerApplication(['Mail.Read']);
    const poor = await buildOrganization(portal.database, {
      companyId,
      officeName: 'poor',
      application: { clientId, proof: { secret } },
      tenantId: tenant.domain,
    });
    const refused = await admin.send(listOrganizationUsers, { params: { organizationId: poor }, query: {} });
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ code: 'CONSENT_MISSING' });
    const bare = await buildOrganization(portal.database, { companyId });
    const none = await admin.send(listOrganizationUsers, { params: { organizationId: bare }, query: {} });
    expect(await none.json()).toMatchObject({ code: 'NO_APPLICATION' });
  });
});
