import type { Connectors } from '@keepwatch/connectors/base/registry';
import type { Ports } from '@keepwatch/connectors/ports/ports';
import type { Branding } from '@keepwatch/contract/branding/branding';
import { calls } from '@keepwatch/contract/calls';
import type { Call } from '@keepwatch/contract/wire/call';
import type { CountryHeader } from '@keepwatch/contract/wire/country-headers';
import type { FastifyInstance } from 'fastify';
import { administrationCalls } from '../administration/administration.calls.ts';
import { systemCalls } from '../administration/system.calls.ts';
import { attentionCalls } from '../attention/attention.calls.ts';
import { auditCalls } from '../audit/audit.calls.ts';
import { backupClockCalls } from '../backup-days/backup-clock.calls.ts';
import { brandingCalls } from '../branding/branding.calls.ts';
import { brandCalls } from '../branding/brands.calls.ts';
import { ipLocationCalls } from '../branding/ip-location.calls.ts';
import { companyCalls } from '../companies/companies.calls.ts';
import { companyRecordCalls } from '../companies/company-records.calls.ts';
import { connectionCalls } from '../connections/connections.calls.ts';
import { companyOf } from '../directory/companies.ts';
import { consoleAccountCalls } from '../directory/console-accounts.calls.ts';
import { directoryCalls } from '../directory/directory.calls.ts';
import { userCalls } from '../directory/users.calls.ts';
import { executionCalls } from '../executions/executions.calls.ts';
import { faultCalls } from '../faults/faults.calls.ts';
import type { Pool } from '../foundation/database.ts';
import type { Route } from '../foundation/http/routes.ts';
import { openServer } from '../foundation/http/server.ts';
import type { SecretSource } from '../foundation/installation-secret.ts';
import type { Log } from '../foundation/log.ts';
import type { Metrics } from '../foundation/metrics.ts';
import type { Queue, QueueFigures } from '../foundation/queue.ts';
import type { SecretBox } from '../foundation/secrets.ts';
import { apiKeyCalls } from '../identity/api-keys.calls.ts';
import { actorOfKey, isKey } from '../identity/api-keys.ts';
import { identityCalls } from '../identity/identity.calls.ts';
import { impersonationCalls } from '../identity/impersonation.calls.ts';
import { ownSessionCalls } from '../identity/own-sessions.calls.ts';
import { passwordCalls } from '../identity/passwords.calls.ts';
import { passkeySignInCalls } from '../identity/second-factors/passkey-sign-in.calls.ts';
import { passkeyCalls } from '../identity/second-factors/passkeys.calls.ts';
import { phoneCalls } from '../identity/second-factors/phones.calls.ts';
import { secondFactorCalls } from '../identity/second-factors/second-factors.calls.ts';
import { secondSignInCalls } from '../identity/second-factors/second-sign-in.calls.ts';
import { signInRuleCalls } from '../identity/second-factors/sign-in-rules.calls.ts';
import { smsSignInCalls } from '../identity/second-factors/sms-sign-in.calls.ts';
import { actorOf } from '../identity/sessions.ts';
import { identityProviderCalls } from '../identity/single-sign-on/identity-providers.calls.ts';
import { signInWaysOf } from '../identity/single-sign-on/sign-in-ways.ts';
import { singleSignOnCalls } from '../identity/single-sign-on/single-sign-on.calls.ts';
import { secretQuestionCalls } from '../identity/user-directory/secret-questions.calls.ts';
import { userDirectoryCalls } from '../identity/user-directory/user-directory.calls.ts';
import { changeBackupClock } from '../ingest/change-backup-clock.ts';
import { insightCalls } from '../insights/insights.calls.ts';
import { computerCalls } from '../inventory/computers.calls.ts';
import { repositoryCalls } from '../inventory/repositories.calls.ts';
import { m365DashboardCalls } from '../microsoft365/dashboard/dashboard.calls.ts';
import { engineOpener } from '../microsoft365/engine/open-engine.ts';
import { m365JobCalls } from '../microsoft365/jobs/jobs.calls.ts';
import { licensingCalls } from '../microsoft365/licensing/licensing.calls.ts';
import { maintenanceCalls } from '../microsoft365/maintenance/maintenance.calls.ts';
import { connectOrganization } from '../microsoft365/organizations/connect-organization.ts';
import type { MicrosoftAddresses } from '../microsoft365/organizations/microsoft-place.ts';
import { organizationCalls } from '../microsoft365/organizations/organizations.calls.ts';
import { namesOfCompany } from '../microsoft365/organizations/organizations.ts';
import { addPeople } from '../microsoft365/people/add-people.ts';
import { proofCalls } from '../microsoft365/proofs/proofs.calls.ts';
import { m365RepositoryCalls } from '../microsoft365/repositories/repositories.calls.ts';
import type { StoredRepositories } from '../microsoft365/repositories/stored-repositories.ts';
import { sessionCalls } from '../microsoft365/sessions/sessions.calls.ts';
import { proxyCalls } from '../microsoft365/workers/proxies.calls.ts';
import { notificationCalls } from '../notifications/notifications.calls.ts';
import { openRestoreServices } from '../restore/open-restore-services.ts';
import { restoreCalls } from '../restore/restore.calls.ts';
import { organizationsSeenBy } from '../restore/roles/reach.ts';
import { searchCalls } from '../search/search.calls.ts';
import { sourceCalls } from '../sources/sources.calls.ts';
import { syncCalls } from '../sources/sync.calls.ts';
import { supportCalls } from '../support/support.calls.ts';
import { reportCalls } from '../tool-reports/reports.calls.ts';
import { readHintsOf } from '../watch/fitting-hints.ts';
import { hintCalls } from '../watch/hints.calls.ts';
import { TARGET_NAMES } from './target-names.ts';

export interface Composition {
  database: Pool;
  queue: Queue;
  queueFigures(): Promise<QueueFigures>;
  log: Log;
  metrics: Metrics;
  now(): Date;
  demonstration: Branding['demonstration'];
  secrets: SecretBox;
  secretSource: SecretSource;
  connectors: Connectors<Ports>;
  stored: StoredRepositories;
  microsoft: MicrosoftAddresses;
  dataDir: string;
  /** Whether the database is in the data folder, and not a server of `DATABASE_URL`. */
  isEmbedded: boolean;
  allowPrivateAddresses: boolean;
  publicUrl: string;
  trustedProxies: number;
  countryHeader: CountryHeader | '';
  requestsPerMinute: number;
}

function monitoringCalls(parts: Composition): Route[] {
  return [
    ...executionCalls({ readHintsOf }),
    ...faultCalls,
    ...repositoryCalls,
    ...computerCalls,
    ...companyCalls({ ...parts, organizationsOf: namesOfCompany }),
    ...companyRecordCalls,
    ...insightCalls,
    ...sourceCalls(parts),
    ...syncCalls,
    ...reportCalls(parts.database, parts.publicUrl),
    ...hintCalls,
  ];
}

/** The server with every capability's calls. The one place that knows them all. */
export function composeServer(parts: Composition): Promise<FastifyInstance> {
  const engine = engineOpener({ ...parts, connect: (organization) => connectOrganization(parts, organization) });
  return openServer({
    ...parts,
    routes: requireDeclared([
      ...brandingCalls({ ...parts, signInWaysOf }),
      ...brandCalls(parts),
      ...ipLocationCalls(parts.countryHeader, parts.trustedProxies),
      ...auditCalls(TARGET_NAMES),
      ...backupClockCalls({ changeBackupClock }),
      ...administrationCalls(parts),
      ...systemCalls(parts),
      ...directoryCalls,
      ...userCalls(parts),
      ...consoleAccountCalls(parts),
      ...connectionCalls({ ...parts, companyOf }),
      ...identityCalls(parts),
      ...passwordCalls(parts),
      ...userDirectoryCalls(parts),
      ...secretQuestionCalls(parts),
      ...impersonationCalls,
      ...ownSessionCalls,
      ...apiKeyCalls(parts),
      ...secondFactorCalls(parts),
      ...secondSignInCalls(parts),
      ...phoneCalls(parts),
      ...smsSignInCalls(parts),
      ...passkeyCalls(parts),
      ...passkeySignInCalls(parts),
      ...signInRuleCalls,
      ...identityProviderCalls(parts),
      ...singleSignOnCalls(parts),
      ...notificationCalls(parts),
      ...monitoringCalls(parts),
      ...m365RepositoryCalls(parts, engine),
      ...m365JobCalls(engine),
      addPeople(engine),
      ...maintenanceCalls,
      ...proofCalls,
      ...m365DashboardCalls,
      ...licensingCalls,
      ...sessionCalls,
      ...proxyCalls(engine),
      ...organizationCalls({ ...parts, organizationsSeenBy }, engine),
      ...supportCalls(parts),
      ...attentionCalls,
      ...searchCalls,
      ...restoreCalls(openRestoreServices(parts)),
    ]),
    authenticate: (token, address) =>
      isKey(token)
        ? actorOfKey(parts.database, token, address, parts.now())
        : actorOf(parts.database, token, parts.now()),
  });
}

/**
 * Throws for a route whose call is not among `calls` of the contract: it would be missing from the OpenAPI page and from every test
 * over all calls (access, tenants, malformed input).
 */
export function requireDeclared(routes: readonly Route[]): readonly Route[] {
  const declared = new Set<Call>(Object.values(calls));
  const missing = routes.find(({ call }) => !declared.has(call));
  if (missing === undefined) return routes;
  const { method, path } = missing.call;
  throw new Error(
    `${method} ${path} is answered, but not declared. Add its module to MODULES in packages/contract/src/calls.ts.`,
  );
}
