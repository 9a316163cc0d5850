import * as applications from '@keepwatch/contract/microsoft365/applications';
import * as contract from '@keepwatch/contract/microsoft365/organizations';
import { VERSION } from '../../branding/brands.ts';
import { notFound, Refusal } from '../../foundation/errors.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import type { OpenEngine } from '../engine/open-engine.ts';
import { addApplication } from './add-application.ts';
import { checkApplication } from './check-application.ts';
import { createOrganization } from './create-organization.ts';
import { requestCode } from './device-codes.ts';
import { readObjects } from './directory/read-objects.ts';
import { editOrganization } from './edit-organization.ts';
import type { NameServices, OrganizationServices } from './organization-services.ts';
import { listNames, listStored, readDetail, requireConnected } from './organizations.ts';
import { removeApplication } from './remove-application.ts';
import { removeOrganization } from './remove-organization.ts';
import { renewCertificates } from './renew-certificates.ts';
import { requireCompany } from './store-organization.ts';

/** The calls about organizations of Microsoft 365. */
export function organizationCalls(parts: OrganizationServices & NameServices, open: OpenEngine): Route[] {
  return [...changes(parts), ...reads, names(parts), ...codes(parts), ...pickers(open)];
}

const changes = (parts: OrganizationServices): Route[] => [
  answer(contract.createOrganization, (context, { body }) => createOrganization(parts, context, body)),
  answer(contract.editOrganization, (context, { params, body }) =>
    editOrganization(parts, context, params.organizationId, body),
  ),
  answer(contract.deleteOrganization, async (context, { params, body }) => {
    await removeOrganization(context, params.organizationId, body.name);
    return {};
  }),
  answer(applications.addApplication, (context, { params, body }) =>
    addApplication(parts, context, params.organizationId, body),
  ),
  answer(applications.checkApplication, (context, { params }) => checkApplication(parts, context, params)),
  answer(applications.removeApplication, async (context, { params }) => ({
    data: await removeApplication(context, params),
  })),
  answer(contract.renewCertificate, async (context, { body }) => ({
    data: await renewCertificates(parts, context, body),
  })),
];

const reads: Route[] = [
  answer(contract.listOrganizations, (context, { query }) =>
    listStored(context.database, context.scope, query, context.now()),
  ),
  answer(contract.readOrganization, async ({ database, scope, now }, { params }) => {
    const data = await readDetail(database, scope, params.organizationId, now());
    if (data === null) throw notFound('organization');
    return { data };
  }),
  answer(contract.registerServer, async () => {
    throw new Refusal(
      409,
      'NOT_SUPPORTED',
      'This version does not connect Veeam Backup for Microsoft 365 servers. Connect the organization itself: the portal backs it up without one.',
    );
  }),
  answer(contract.readVersion, async () => ({ data: { version: VERSION, engine: 'built-in' as const } })),
];

const names = ({ organizationsSeenBy }: NameServices): Route =>
  answer(contract.listOrganizationNames, async ({ database, scope, actor }) => {
    const seen = await organizationsSeenBy(database, actor);
    const all = await listNames(database, scope);
    return { data: seen === null ? all : all.filter(({ id }) => seen.has(id)) };
  });

const codes = (parts: OrganizationServices): Route[] => [
  answer(contract.requestDeviceCode, async (context, { body: { companyObjId, targetRegion: region } }) => {
    await requireCompany(context.database, context.scope, companyObjId);
    return { data: await requestCode(parts, context, { companyId: companyObjId, region, organization: null }) };
  }),
  answer(contract.requestApplicationDeviceCode, async (context, { body }) => {
    const organization = await requireConnected(context.database, context.scope, body.organizationId);
    const { companyId, region } = organization;
    return { data: await requestCode(parts, context, { companyId, region, organization }) };
  }),
];

const pickers = (open: OpenEngine): Route[] => [
  answer(contract.listOrganizationUsers, (context, { params, query }) =>
    readObjects(open, context, { ...params, ...query, kind: 'user' }),
  ),
  answer(contract.listOrganizationGroups, (context, { params, query }) =>
    readObjects(open, context, { ...params, ...query, kind: 'group' }),
  ),
  answer(contract.listOrganizationTeams, (context, { params, query }) =>
    readObjects(open, context, { ...params, ...query, kind: 'team' }),
  ),
  answer(contract.listOrganizationSites, (context, { params, query }) =>
    readObjects(open, context, { ...params, ...query, kind: 'site' }),
  ),
  answer(contract.listOrganizationSubsites, (context, { params: { organizationId, siteId }, query }) =>
    readObjects(open, context, { organizationId, ...query, kind: 'site', parentId: siteId }),
  ),
];
