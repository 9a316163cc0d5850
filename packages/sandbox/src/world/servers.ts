import type { Company, Provider } from './companies.ts';
import { pick, uid, unit, whole } from './random.ts';

/** A server that runs jobs: a backup server, or one that backs up Microsoft 365. */
export interface Server {
  id: number;
  uid: string;
  name: string;
  /** The company that owns it; undefined for a shared server of the provider. */
  owner: Company | undefined;
  organizationUid: string;
  organizationName: string;
  locationUid: string;
  locationName: string;
  managementAgentUid: string;
  installationUid: string;
  version: string;
  displayVersion: string;
}

/** The shared servers of the provider, on which customers without a server of their own have their jobs. */
export function buildSharedServers(provider: Provider, count: number): Server[] {
  return Array.from({ length: count }, (_, index) =>
    serverOf(`kst-vbr-${String(index + 1).padStart(2, '0')}`, 100 + index, provider, undefined),
  );
}

/** The provider's servers for Microsoft 365. */
export function buildMicrosoft365Servers(provider: Provider): Server[] {
  return [1, 2].map((number) => ({
    ...serverOf(`kst-m365-0${number}`, 200 + number, provider, undefined),
    version: number === 1 ? '8.1.0.305' : '8.0.6.150',
  }));
}

/** None, one or two servers on the customer's premises: the larger it is, the sooner it has its own. */
export function buildOwnServers(company: Company): Server[] {
  const count = company.size > 34 ? 2 : company.size > 16 || unit(company.id, 20) < 0.25 ? 1 : 0;
  return Array.from({ length: count }, (_, index) =>
    serverOf(`${company.tag}-VBR0${index + 1}`, 300 + index, company, company),
  );
}

function serverOf(name: string, salt: number, organization: Provider | Company, owner: Company | undefined): Server {
  const id = whole(1, 0x7fffffff, organization.id, salt);
  const [version, displayVersion] = pick(
    [
      ['13.0.1.180', '13.0.1.180'],
      ['12.3.2.4165', '12.3.2.4165 P20251006'],
      ['12.3.2.3617', '12.3.2.3617'],
      ['12.1.2.172', '12.1.2.172 P20240515'],
    ],
    id,
    1,
  );
  return {
    id,
    uid: uid(id, 2),
    name,
    owner,
    organizationUid: organization.uid,
    organizationName: organization.name,
    locationUid: uid(organization.id, 21),
    locationName: owner ? owner.city : 'Keystone Datacenter East',
    managementAgentUid: uid(id, 3),
    installationUid: uid(id, 4),
    version,
    displayVersion,
  };
}
