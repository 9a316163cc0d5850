import type { OrganizationDetail } from '@keepwatch/contract/microsoft365/organizations';
import { change } from '../../audit/change.ts';
import { conflict, notFound } from '../../foundation/errors.ts';
import type { ChangingContext } from '../../foundation/http/context.ts';
import { remove } from '../../foundation/table-writes.ts';
import { m365Applications } from '../tables.ts';
import { readApplications } from './applications.ts';
import { lockOrganization, readDetail, requireConnected } from './organizations.ts';

/** Which application of which organization. */
export interface RemovedApplication {
  organizationId: string;
  applicationId: string;
}

/** Forgets an application that backs up beside the first. What runs goes on with it; the next run does without it. */
export async function removeApplication(
  context: ChangingContext,
  { organizationId, applicationId: entered }: RemovedApplication,
): Promise<OrganizationDetail> {
  const { scope, now } = context;
  const applicationId = entered.toLowerCase();
  return change(context, { kind: 'organization', id: organizationId }, async (connection) => {
    if (!(await lockOrganization(connection, scope, organizationId))) return null;
    await requireConnected(connection, scope, organizationId);
    const key = { providerId: scope.providerId, id: organizationId };
    const all = (await readApplications(connection, key)).filter(({ purpose }) => purpose === 'backup');
    const found = all.find((one) => one.applicationId === applicationId);
    if (found === undefined) throw notFound('application');
    if (found === all[0]) throw mainApplication(found.name);
    await remove(connection, m365Applications, {
      providerId: scope.providerId,
      organizationId,
      applicationId,
      purpose: 'backup',
    });
    const detail = await readDetail(connection, scope, organizationId, now());
    const { credentials: _sealed, ...shown } = found;
    return detail === null ? null : { result: detail, before: { application: shown } };
  });
}

const mainApplication = (name: string) =>
  conflict(`The organization is connected with ${name}. Edit the organization to connect it with another application.`);
