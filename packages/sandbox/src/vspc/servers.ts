import { unit } from '../world/random.ts';
import type { Repository } from '../world/repositories.ts';
import { usedBytes } from '../world/repositories.ts';
import type { Server } from '../world/servers.ts';

export function toBackupServer(server: Server) {
  return {
    instanceUid: server.uid,
    name: server.name,
    organizationUid: server.organizationUid,
    locationUid: server.locationUid,
    managementAgentUid: server.managementAgentUid,
    version: server.version,
    displayVersion: server.displayVersion,
    installationUid: server.installationUid,
    backupServerRoleType: server.owner ? 'Client' : 'Hosted',
    status: unit(server.id, 220) < 0.05 ? 'Warning' : 'Healthy',
    inHighAvailabilityCluster: false,
  };
}

/** @param isExpanded whether the caller asked for `expand=BackupRepositoryInfo`; all figures are in there */
export function toRepository(repository: Repository, isExpanded: boolean, nowMs: number) {
  return {
    instanceUid: repository.uid,
    name: repository.name,
    backupServerUid: repository.server.uid,
    _embedded: isExpanded ? toRepositoryInfo(repository, nowMs) : null,
  };
}

function toRepositoryInfo(repository: Repository, nowMs: number) {
  const used = usedBytes(repository, nowMs);
  const capacity = repository.capacityBytes;
  const hasCapacity = capacity !== undefined;
  return {
    parentRepositoryUid: null,
    perVMBackupFiles: repository.type === 'Share' ? null : true,
    capacity: hasCapacity ? capacity : null,
    isCapacityAvailable: hasCapacity,
    freeSpace: hasCapacity ? capacity - used : null,
    isFreeSpaceAvailable: hasCapacity,
    usedSpace: used,
    isUsedSpaceAvailable: true,
    backupSize: Math.floor(used * 0.94),
    isImmutabilityEnabled: repository.isImmutable,
    immutabilityInterval: repository.isImmutable ? 14 * 86_400 : null,
    type: repository.type,
    cloudRepositoryUid: null,
    path: repository.path,
    hostName: repository.hostName,
    hostUid: null,
    isOutOfDate: repository.isOutOfDate,
    status: hasCapacity && used > 0.9 * capacity ? 'Warning' : 'Healthy',
    isCloud: !repository.server.owner,
  };
}
