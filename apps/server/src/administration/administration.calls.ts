import { CERTIFICATE_DAYS, CERTIFICATES_MAX, getAdminDashboard } from '@keepwatch/contract/administration/dashboard';
import { countBrands, runsInstallation } from '../branding/brands-within.ts';
import { countConnections } from '../connections/count-connections.ts';
import { countCompanies } from '../directory/companies.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { wholeProvider } from '../foundation/whole-provider.ts';
import { listExpiringCertificates } from '../microsoft365/organizations/expiring-certificates.ts';
import { type InstallationParts, readInstallation } from './installation.ts';

const DAY_MS = 86_400_000;

/** What the Admin application begins with. */
export function administrationCalls(parts: InstallationParts): Route[] {
  return [
    answer(getAdminDashboard, async (context) => {
      const { database, scope, now } = context;
      const providerId = wholeProvider(context);
      const until = new Date(now().getTime() + CERTIFICATE_DAYS * DAY_MS);
      const [brands, companies, connections, certificates, installation] = await Promise.all([
        countBrands(database, providerId),
        countCompanies(database, scope),
        countConnections(database, providerId),
        listExpiringCertificates(database, providerId, until, CERTIFICATES_MAX),
        runsInstallation(providerId) ? readInstallation(database, parts) : null,
      ]);
      return { data: { brands, companies, connections, certificates, installation } };
    }),
  ];
}
