import type { ItemKind } from './items.ts';
import type { Alert, LostItem, Outcome, RunCounts, SkipCause } from './outcome.ts';
import type { Progress } from './progress.ts';
import type { ProtectedObject } from './protected-object.ts';

/** What a piece of work is doing now. */
export type Phase =
  | 'catching-up'
  | 'reading'
  | 'indexing'
  | 'restoring'
  | 'exporting'
  | 'verifying'
  | 'proving'
  | 'planning'
  | 'copying'
  | 'deleting'
  | 'rebuilding'
  | 'erasing'
  | 'locking';

/** An object as events name it; `key` is that of the repository. */
export interface EventObject extends Pick<ProtectedObject, 'kind' | 'id' | 'name' | 'address'> {
  key: string;
}

/** What was read of one object, in this run. */
export type ObjectCounts = Pick<RunCounts, 'itemsRead' | 'itemsRemoved' | 'itemsLost' | 'itemsSkipped' | 'bytesRead'>;

/** For what a wait is: a prune or runs in the repository, Microsoft 365, the catalog's database, or others who work in the catalog. */
export type WaitFor = 'lock' | 'source' | 'database' | 'passes' | 'commits' | 'exchange';

/**
 * What happens in a backup, restore, export, verify, prune or rebuild, as it happens. The command line prints these, and a portal shows and stores
 * them. Unlike the findings of a run they are complete, however many items fail.
 */
export type EngineEvent =
  | { type: 'phase'; phase: Phase }
  /** How far it is: state, not history, so that the newest is enough. */
  | ({ type: 'progress' } & Progress)
  /** It goes on automatically, at `until` where that is known. The next progress ends it. */
  | { type: 'waiting'; on: WaitFor; message: string; until: Date | null; holders: readonly string[] }
  | { type: 'object-begun'; object: EventObject }
  /**
   * What was read of it is committed; it is in the restore point when the run comes to its end. `Stopped`, and `Failed` of a run that throws: it was
   * not read to its end, or not committed, and the next run goes on from what was.
   */
  | { type: 'object-ended'; object: EventObject; outcome: Outcome; counts: ObjectCounts }
  /** Something was not read, or not to its end; `objectName` is `null` where it concerns all of the run. */
  | { type: 'failure'; objectName: string | null; message: string }
  | { type: 'lost'; objectName: string; item: LostItem }
  | { type: 'skipped'; objectName: string; id: string; name: string; cause: SkipCause }
  /** `objectName` is `null` where it concerns all of the run. */
  | ({ type: 'alert'; objectName: string | null } & Alert)
  /** A file in the folders of the repository that is not the repository's: no fault. */
  | { type: 'stranger'; name: string }
  /** What became of one item of a restore or an export, unless it is as it was to be. */
  | ({ type: 'item' } & ItemNews);

/** An item that is not, or not as it was, where it was to be put. */
export interface ItemNews {
  id: string;
  kind: ItemKind | null;
  name: string;
  /** Names of the containers above it. */
  path: readonly string[];
  /** `failed`: it is not there; `incomplete`: it came back without `losses`; `skipped`: for a reason that is no fault. */
  outcome: 'failed' | 'incomplete' | 'skipped' | 'changed';
  reason: string;
  losses: readonly string[];
}

export type OnEvent = (event: EngineEvent) => void;
