import { z } from 'zod';
import { ConnectorError } from '../base/connector-error.ts';
import type { Manifest } from '../base/manifest.ts';
import type { BackupSource, DataSourceGroup, Read, SourceJob } from '../ports/backup-source.ts';
import { consoleAccounts } from './accounts.ts';
import type { VspcClient } from './client.ts';
import { openVspcClient } from './client.ts';
import { companies } from './companies.ts';
import { listComputers } from './computers.ts';
import { listExecutions } from './executions.ts';
import { listFileShareJobs } from './jobs/file-shares.ts';
import { listManagedAgentJobs } from './jobs/managed-agents.ts';
import { listManagedServerJobs } from './jobs/managed-servers.ts';
import { listMonitoredAgentJobs } from './jobs/monitored-agents.ts';
import { listOffice365Jobs } from './jobs/office365.ts';
import { listPublicCloudJobs } from './jobs/public-cloud.ts';
import { listLicenceUsage } from './licence-usage.ts';
import { list } from './listing.ts';
import { listRepositories } from './repositories.ts';
import { parseVspcSettings, VSPC_SETTINGS } from './settings.ts';

type ListJobs = (client: VspcClient, signal: AbortSignal) => AsyncIterable<Read<SourceJob>>;

const JOBS_OF_GROUP: Readonly<Record<DataSourceGroup, ListJobs>> = {
  'managed-servers': listManagedServerJobs,
  'monitored-agents': listMonitoredAgentJobs,
  'managed-agents': listManagedAgentJobs,
  office365: listOffice365Jobs,
  'public-cloud-vms': listPublicCloudJobs,
  'file-share-jobs': listFileShareJobs,
};

/** Veeam Service Provider Console 8 and newer, over its REST API v3. */
export const manifest: Manifest<BackupSource> = {
  kind: 'vac',
  label: 'Veeam Service Provider Console',
  settings: VSPC_SETTINGS,
  open: (settings, context) =>
    vspcSource(openVspcClient(parseVspcSettings(settings, context.allowPrivateAddresses), context)),
};

function vspcSource(client: VspcClient): BackupSource {
  return {
    test: (signal) => testConsole(client, signal),
    listCompanies: (signal) => list(client, companies, signal),
    listJobs: (group, signal) => JOBS_OF_GROUP[group](client, signal),
    listExecutions: (range, jobs, signal) => listExecutions(client, range, jobs, signal),
    listRepositories: (signal) => listRepositories(client, signal),
    listComputers: (signal) => listComputers(client, signal),
    listLicenceUsage: (signal) => listLicenceUsage(client, signal),
    accounts: consoleAccounts(client),
  };
}

/** GetAboutInformationResponse200, as far as it is read. */
const about = z.object({ data: z.object({ serverVersion: z.string().min(1) }) });

async function testConsole(client: VspcClient, signal: AbortSignal): Promise<{ version: string }> {
  const reply = about.safeParse(await readAbout(client, signal));
  if (!reply.success) throw notAConsole();
  // An account that may not read companies may read nothing that is needed here: it fails now, not at the first sync.
  await client.read('organizations/companies', { limit: '1', offset: '0' }, signal);
  return { version: reply.data.data.serverVersion };
}

async function readAbout(client: VspcClient, signal: AbortSignal): Promise<unknown> {
  try {
    return await client.read('about', {}, signal);
  } catch (error) {
    // Here, and only here, a page instead of JSON means that the address leads to something else.
    if (error instanceof ConnectorError && error.kind === 'bad-reply') throw notAConsole(error);
    throw error;
  }
}

function notAConsole(cause?: ConnectorError): ConnectorError {
  const text = 'What answers there is not a Service Provider Console with REST API v3; check address and port (1280)';
  return new ConnectorError('wrong-version', text, { cause });
}
