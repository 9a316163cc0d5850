import type { Company } from '../world/companies.ts';
import { pick, uid, unit, whole } from '../world/random.ts';

/** @param isExpanded whether the caller asked for `expand=Organization` */
export function toCompany(company: Company, isExpanded: boolean) {
  const { id } = company;
  return {
    ownerCredentials: { userName: `${company.slug}\\${company.tag.toLowerCase()}.owner`, password: null },
    instanceUid: company.uid,
    name: company.name,
    status: company.isActive ? 'Active' : 'Disabled',
    resellerUid: unit(id, 200) < 0.15 ? uid(id % 3, 201) : null,
    subscriptionPlanUid: null,
    isRestAccessEnabled: unit(id, 202) < 0.2,
    isAlarmDetectEnabled: unit(id, 203) < 0.7,
    companyServices: {
      hostedServices: { isVbPublicCloudManagementEnabled: false },
      remoteServices: {
        isBackupResourcesEnabled: true,
        backupAgentsManagement: { workstationAgentsQuota: null, serverAgentsQuota: null },
        backupServersManagement: { backupServerQuota: null },
        vb365ServersManagement: null,
        isVbPublicCloudManagementEnabled: false,
      },
    },
    loginUrl: null,
    _embedded: isExpanded ? { organization: toOrganization(company) } : null,
  };
}

function toOrganization(company: Company) {
  const { id, country } = company;
  return {
    name: company.name,
    instanceUid: company.uid,
    alias: null,
    type: 'Company',
    taxId: unit(id, 204) < 0.6 ? `${country.code}${whole(100_000_000, 999_999_999, id, 205)}` : null,
    email: `${pick(['it', 'office', 'info', 'admin'], id, 206)}@${company.domain}`,
    phone: `+${country.systemId} ${whole(100, 999, id, 207)} ${whole(100_000, 999_999, id, 208)}`,
    country: country.systemId,
    state: null,
    countryName: country.name,
    regionName: country.region,
    city: company.city,
    street: company.street,
    locationAdmin0Code: country.code,
    locationAdmin1Code: null,
    locationAdmin2Code: null,
    notes: unit(id, 209) < 0.1 ? 'Please do not call before 9 in the morning.' : null,
    zipCode: String(whole(10_000, 99_999, id, 210)),
    website: `https://www.${company.domain}`,
    veeamTenantId: null,
    companyId: unit(id, 211) < 0.3 ? `C-${whole(1000, 9999, id, 212)}` : null,
  };
}
