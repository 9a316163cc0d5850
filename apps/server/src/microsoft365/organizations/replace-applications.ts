import type { OrganizationDetail } from '@keepwatch/contract/microsoft365/organizations';
import { type Change, change } from '../../audit/change.ts';
import type { ChangingContext } from '../../foundation/http/context.ts';
import { type Application, requireUnchanged, type SealedApplication, storeApplications } from './applications.ts';
import type { OrganizationServices } from './organization-services.ts';
import { lockOrganization, readDetail } from './organizations.ts';

/** Applications in place of those that were read before Microsoft was asked. */
export interface Replacement {
  /** Of the organization. */
  id: string;
  before: readonly SealedApplication[];
  applications: readonly Application[];
}

/**
 * Replaces the applications of an organization.
 * @param audited what the audit log has of it
 * @throws 404; 409 where they were changed meanwhile
 */
export function replaceApplications(
  { secrets }: OrganizationServices,
  context: ChangingContext,
  { id, before, applications }: Replacement,
  audited: (detail: OrganizationDetail) => Pick<Change<unknown>, 'before' | 'after'>,
): Promise<OrganizationDetail> {
  const { scope, now } = context;
  const key = { providerId: scope.providerId, id };
  return change(context, { kind: 'organization', id }, async (connection) => {
    if (!(await lockOrganization(connection, scope, id))) return null;
    await requireUnchanged(connection, key, before);
    await storeApplications(connection, secrets, key, applications, now());
    const detail = await readDetail(connection, scope, id, now());
    return detail === null ? null : { result: detail, ...audited(detail) };
  });
}
