import type { ItemKind } from './items.ts';

/** The closed list of causes for which an item is skipped; each is a limit of the source that its vendor documents. */
export const SKIP_CAUSES = [
  /** Encrypted or rights-managed in a way the source does not give out. */
  'protected',
  /** The source marks the file as malware and refuses to give it out. */
  'malware',
  /** A OneNote notebook: a package without bytes of its own; its parts are items. */
  'package',
  /** A link to something in another drive, which is backed up there. */
  'link',
  /** A calendar that another person shares: it is backed up with its owner. */
  'shared',
  /** Excluded by the job. */
  'excluded',
] as const;

export type SkipCause = (typeof SKIP_CAUSES)[number];

/** An item that could not be read. It is asked for again in the next run. */
export interface LostItem {
  id: string;
  kind: ItemKind;
  name: string;
  parentId: string | null;
  /** For a person: what happened, and what to do. */
  reason: string;
}

/** What a person should know although nothing is missing because of it. */
export interface Alert {
  code: string;
  message: string;
}

/**
 * Why an object of a restore point is not known to be whole: something of it was not read; it was not read at all, and is as it was before;
 * it is not in the organization's lists any more, and is as it was last. Or
 * (`shrunk`) that much of it went at once, and is retained for longer.
 */
export const OBJECT_FLAGS = ['incomplete', 'unread', 'unlisted', 'shrunk'] as const;

export type ObjectFlag = (typeof OBJECT_FLAGS)[number];

/** Which object a finding is of. Names are for people: a site, its group and its team often have the same. */
export interface OfObject {
  /** Without: of the run, or of what it could not list. */
  objectKey?: string | undefined;
}

/** What is known of a run, or of a part of it; the four things are never mixed. */
export interface Findings {
  /** Why the run or an object stopped; with any of these an object is not complete. */
  failures: ({ objectName: string | null; message: string } & OfObject)[];
  lost: (LostItem & { objectName: string } & OfObject)[];
  skipped: ({ objectName: string; id: string; name: string; cause: SkipCause } & OfObject)[];
  alerts: (Alert & OfObject)[];
  /** By key, every object of a backup that is not known to be whole, however many there are. */
  objects?: Record<string, ObjectFlag> | undefined;
  /** Keys of objects of which the source does not say whether they are there, and that a run has named as such. */
  unknown?: readonly string[] | undefined;
  /** By the keys of objects, the sites (`site/<id>`) below which they were before those got another URL. */
  formerSites?: Readonly<Record<string, string>> | undefined;
  /** How far the clock of the store was ahead of the source's, where that is more than clocks differ. */
  storeSkewMs?: number | undefined;
}

export type Outcome = 'Success' | 'Warning' | 'Failed' | 'Stopped';

export interface RunCounts {
  objects: number;
  objectsFailed: number;
  itemsRead: number;
  itemsRemoved: number;
  itemsLost: number;
  itemsSkipped: number;
  bytesRead: number;
  bytesStored: number;
}

export const NO_COUNTS: RunCounts = {
  objects: 0,
  objectsFailed: 0,
  itemsRead: 0,
  itemsRemoved: 0,
  itemsLost: 0,
  itemsSkipped: 0,
  bytesRead: 0,
  bytesStored: 0,
};

/**
 * Only a run without failure and without lost items is a Success; one in which every object failed is Failed; all others are
 * Warnings. Skips and alerts alone do not lower it (decisions: Microsoft 365 semantics).
 */
export function outcomeOf(findings: Findings, counts: RunCounts): Outcome {
  if (findings.failures.length > 0 && counts.objectsFailed >= counts.objects) return 'Failed';
  return findings.failures.length > 0 || counts.itemsLost > 0 ? 'Warning' : 'Success';
}
