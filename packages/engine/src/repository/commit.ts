import { randomBytes } from 'node:crypto';
import type { StoredItem } from '../model/items.ts';
import type { Findings, LostItem, Outcome, RunCounts } from '../model/outcome.ts';
import type { ObjectKind } from '../model/protected-object.ts';

/** The parts of a journal as docs/repository-format.md, 6 describes them. Members of the lines have the same names there. */

export interface RunHeader {
  /** UUID of version 7. */
  id: string;
  kind: 'backup' | 'prune' | 'verify' | 'erase';
  /** Id of the job, as the caller names it. */
  job: string;
  jobName: string;
  organizationId: string;
  startedAt: Date;
  /** For how many days the restore points of the job stay, counted back from its newest one; without: as long as others do. */
  keepDays?: number;
}

/** Where a chunk is stored. */
export interface ChunkPlace {
  /** Name of the pack: SHA-256 in hex. */
  pack: string;
  offset: number;
  /** With its tag. */
  storedBytes: number;
  plainBytes: number;
  isCompressed: boolean;
  /** Where the chunk begins in the plain bytes of its group, of which `offset` and `storedBytes` are; without: it is stored alone. */
  groupStart?: number;
  /** A verify could not read it there: it may have come back since, but nothing new is to count on it. */
  isDamaged?: true;
}

export interface ChunkEntry extends Omit<ChunkPlace, 'pack' | 'isDamaged'> {
  /** 16 bytes in base64url. */
  id: string;
}

export interface StoredPack {
  name: string;
  sizeBytes: number;
  chunks: readonly ChunkEntry[];
}

export type ObjectChange =
  | { type: 'put'; item: StoredItem }
  | { type: 'remove'; item: string }
  | { type: 'lost'; item: LostItem }
  | { type: 'found'; item: string }
  | { type: 'cursor'; scope: string; value: string | null }
  | Erasure;

/** Everything of the object up to the revision before this one is gone, from all restore points. The record for the audit. */
export interface Erasure {
  type: 'erased';
  /** Who asked for it, and why. */
  by: string;
  reason: string;
  /** Item versions that were erased, and their bytes at the source. */
  items: number;
  bytes: number;
}

/** What a commit says of one object; the changes apply in their order. */
export interface ObjectSection {
  /** Key of the object in this repository: keyed hash of tenant, kind and id. */
  key: string;
  organizationId: string;
  kind: ObjectKind;
  id: string;
  name: string;
  owner: string | null;
  address: string | null;
  /** One more than the object's last. */
  revision: number;
  at: Date;
  changes: readonly ObjectChange[];
}

/** The end of a run. That of a backup is a restore point. */
export interface RunEnd {
  outcome: Outcome;
  finishedAt: Date;
  counts: RunCounts;
  /** The state of each object of the run: its key and revision. Objects that failed have their last good revision, or are left out. */
  objects: readonly (readonly [key: string, revision: number])[];
  findings: Findings;
}

/** The last commit of a run that another one knew of. */
export type KnownCommit = readonly [run: string, sequence: number];

/** The chunks of a pack that cannot be read, as a verify found it: all of them, and no others. */
export interface PackDamage {
  pack: string;
  chunks: readonly string[];
}

/** One object of a journal, read and checked. */
export interface Commit {
  run: string;
  sequence: number;
  /** In the first commit of a run. */
  header: RunHeader | null;
  /** With the header: commits that were there before and that no other run names, so that none can be lost unseen. */
  follows: readonly KnownCommit[];
  packs: readonly StoredPack[];
  sections: readonly ObjectSection[];
  retiredPacks: readonly string[];
  damage: readonly PackDamage[];
  /** Names of packs with chunks of erased objects: the next prune writes them again without. */
  erasedPacks: readonly string[];
  /** Versions that ended, and restore points that finished, before this instant are gone. */
  expiredBefore: Date | null;
  /** The same of some jobs, by their ids: `expiredBefore` is that of the others. */
  expiredJobs: ReadonlyMap<string, Date>;
  end: RunEnd | null;
  /** The run that closed this one. */
  closedBy: string | null;
}

/** A commit that says nothing yet. */
export function emptyCommit(run: string, sequence: number): Commit {
  return {
    run,
    sequence,
    header: null,
    follows: [],
    packs: [],
    sections: [],
    retiredPacks: [],
    damage: [],
    erasedPacks: [],
    expiredBefore: null,
    expiredJobs: new Map(),
    end: null,
    closedBy: null,
  };
}

/** Whether a commit says nothing that has to be applied alone, as it concerns what others brought. */
export function isPlain({ damage, retiredPacks, erasedPacks, expiredBefore, expiredJobs, sections }: Commit): boolean {
  return (
    damage.length + retiredPacks.length + erasedPacks.length + expiredJobs.size === 0 &&
    expiredBefore === null &&
    !sections.some(({ changes }) => changes.some(({ type }) => type === 'erased'))
  );
}

/** The id of a new run: a UUID of version 7 (RFC 9562), so that names sort by the instant. */
export function newRunId(now: Date): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now.getTime(), 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** When a run began, as its id says. */
export function startOf(run: string): Date {
  const at = Number.parseInt(run.slice(0, 13).replace('-', ''), 16);
  return new Date(Number.isNaN(at) ? 0 : at);
}
