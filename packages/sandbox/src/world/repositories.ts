import { pick, textHash, uid, unit, whole } from './random.ts';
import { dayMs } from './schedule.ts';
import type { Server } from './servers.ts';

const gigabyte = 1024 ** 3;

/** Where backups are written. It fills slowly, is enlarged when its owner has had enough of warnings, and fills again. */
export interface Repository {
  id: number;
  uid: string;
  name: string;
  server: Server;
  type: 'Windows' | 'Linux' | 'LinuxHardened' | 'Share' | 'S3Compatible' | 'Wasabi' | 'AmazonS3';
  path: string;
  hostName: string;
  /** Undefined for object storage, which has no end. */
  capacityBytes: number | undefined;
  isImmutable: boolean;
  isOutOfDate: boolean;
  /** Share of the capacity in use at the start and at the end of a filling. */
  lowest: number;
  highest: number;
  fillingDays: number;
}

const kinds = [
  ['Windows', 'D:\\Backups', 'WIN'],
  ['LinuxHardened', '/backups/hardened', 'LHR'],
  ['Windows', 'E:\\VeeamRepo', 'WIN'],
  ['Linux', '/mnt/repo01', 'LNX'],
  ['Share', '\\\\nas01\\backup', 'NAS'],
  ['Wasabi', 'amazonS3://eu-central-2/tenant', 'S3'],
  ['S3Compatible', 'S3Compatible://objects/tenant', 'S3'],
] as const;

/** Two or three repositories a server; shared servers have more. */
export function buildRepositories(server: Server): Repository[] {
  const count = server.owner ? whole(1, 3, server.id, 30) : 8;
  return Array.from({ length: count }, (_, index) => buildRepository(server, index));
}

function buildRepository(server: Server, index: number): Repository {
  const id = textHash(`${server.uid}/repository/${index}`);
  const [type, path, mark] = index === 0 ? (kinds[whole(0, 3, id, 1)] ?? kinds[0]) : pick(kinds, id, 1);
  const isObjectStorage = type === 'Wasabi' || type === 'S3Compatible';
  const terabytes = server.owner ? whole(2, 24, id, 2) : whole(60, 240, id, 2);
  const crowded = unit(id, 3);
  return {
    id,
    uid: uid(id, 1),
    name: index === 0 ? `${server.name} Main Repository` : `${server.name} ${mark} ${index + 1}`,
    server,
    type,
    path,
    hostName: `${server.name.toLowerCase()}-repo${index + 1}`,
    capacityBytes: isObjectStorage ? undefined : terabytes * 1024 * gigabyte,
    isImmutable: type === 'LinuxHardened' || type === 'Wasabi',
    isOutOfDate: unit(id, 4) < 0.05,
    lowest: 0.25 + 0.35 * unit(id, 5),
    // One in seven of the customers' own is let to run full; most owners act before nine tenths.
    highest: crowded < (server.owner ? 0.15 : 0.04) ? 1.08 : 0.7 + 0.28 * unit(id, 6),
    fillingDays: whole(90, 320, id, 7),
  };
}

/** Bytes in use at an instant; bytes written so far where there is no capacity. */
export function usedBytes(repository: Repository, atMs: number): number {
  const day = atMs / dayMs + whole(0, 1000, repository.id, 8);
  const progress = (day % repository.fillingDays) / repository.fillingDays;
  const wobble = 0.004 * unit(repository.id, Math.floor(day), 9);
  const share = repository.lowest + (repository.highest - repository.lowest) * progress + wobble;
  if (repository.capacityBytes === undefined) return Math.floor(20 * 1024 * gigabyte * share);
  return Math.floor(repository.capacityBytes * Math.min(share, 0.9985));
}

/** Whether nothing more can be written at an instant. */
export function isFull(repository: Repository, atMs: number): boolean {
  return repository.capacityBytes !== undefined && usedBytes(repository, atMs) > 0.992 * repository.capacityBytes;
}
