import { lastAttempt, lastEndedAttempt, nextRunMs } from '../world/history.ts';
import type { Microsoft365Job, Microsoft365Organization } from '../world/job.ts';
import { uid } from '../world/random.ts';
import type { Server } from '../world/servers.ts';
import { isEnabled } from '../world/trouble.ts';
import { instant, instantOrNull } from './instants.ts';

/** The vendor gives start and status of the last run, neither its end nor its size. */
export function toMicrosoft365Job(job: Microsoft365Job, nowMs: number) {
  const { organization } = job;
  const last = lastAttempt(job, nowMs);
  const ended = last && last.endMs <= nowMs ? last : undefined;
  return {
    instanceUid: job.uid,
    name: job.name,
    jobType: job.type,
    repositoryUid: job.repositoryUid,
    repositoryName: job.repositoryName,
    vb365OrganizationUid: organization.uid,
    vspcOrganizationUid: organization.isMappedInJobs ? organization.company.uid : null,
    vspcOrganizationName: organization.isMappedInJobs ? organization.company.name : null,
    scheduleEditingAvailable: true,
    vb365ServerUid: job.server.uid,
    vb365ServerName: job.server.name,
    managementAgentUid: job.server.managementAgentUid,
    lastRun: instantOrNull(last?.startMs),
    nextRun: instantOrNull(nextRunMs(job, nowMs)),
    isEnabled: isEnabled(job, nowMs),
    isCopyJobAvailable: job.type === 'BackupJob',
    lastStatus: last ? (ended ? ended.result : 'Running') : 'Unknown',
    lastStatusDetails: ended?.message ?? '',
    siteName: null,
    locationName: job.server.locationName,
    lastErrorLogRecords: toLogRecords(ended?.result, ended?.message),
  };
}

function toLogRecords(result: 'Success' | 'Warning' | 'Failed' | undefined, message: string | undefined) {
  if (!message || result === 'Success') return [];
  return [{ message, logType: result === 'Failed' ? 'Error' : 'Warning' }];
}

/** @param isServerExpanded whether `expand=Vb365Server` was asked */
export function toMicrosoft365Organization(
  organization: Microsoft365Organization,
  jobs: readonly Microsoft365Job[],
  isServerExpanded: boolean,
  nowMs: number,
) {
  const ends = jobs
    .filter((job) => job.organization === organization)
    .map((job) => lastEndedAttempt(job, nowMs)?.endMs)
    .filter((end) => end !== undefined);
  const { server, company } = organization;
  return {
    name: organization.name,
    type: 'Microsoft365',
    isBackedUp: ends.length > 0,
    instanceUid: organization.uid,
    region: 'Default',
    cloudAuthenticatedMethod: 'Modern',
    protectedServices: ['ExchangeOnline', 'SharePointOnlineAndOneDriveForBusiness', 'MicrosoftTeams'],
    vb365ServerUid: server.uid,
    vb365ServerName: server.name,
    locationUid: server.locationUid,
    locationName: server.locationName,
    firstBackupTime: ends.length > 0 ? instant(Date.UTC(2023, 4, 9, 20, 11)) : null,
    lastBackupTime: ends.length > 0 ? instant(Math.max(...ends)) : null,
    registeredBy: null,
    registrationDate: null,
    isRemoving: false,
    isJobSchedulingEnabled: true,
    mappedOrganizationUid: company.uid,
    mappedOrganizationName: company.name,
    ...(isServerExpanded ? { _embedded: { vb365Server: toMicrosoft365Server(server) } } : {}),
  };
}

function toMicrosoft365Server(server: Server) {
  return {
    instanceUid: server.uid,
    locationUid: server.locationUid,
    organizationUid: server.organizationUid,
    managementAgentUid: server.managementAgentUid,
    installationUid: server.installationUid,
    name: server.name,
    version: server.version,
    majorVersion: 8,
    serverApiVersion: 'V8',
    status: 'Healthy',
    managementAgentStatus: 'Healthy',
  };
}

export function toCompanyMapping(organization: Microsoft365Organization) {
  return {
    vb365OrganizationUid: organization.uid,
    companyUid: organization.company.uid,
    instanceUid: uid(organization.id, 270),
    vb365OrganizationName: organization.name,
    vb365ServerUid: organization.server.uid,
    vb365ServerName: organization.server.name,
    companyName: organization.company.name,
  };
}
