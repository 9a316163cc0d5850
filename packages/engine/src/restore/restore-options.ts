import { EngineError } from '../model/engine-error.ts';

/** How a restore treats what it finds. The same options hold at every level, for every kind of object. */
export interface RestoreOptions {
  /**
   * What becomes of an item that is there and differs: it stays (`skip`), becomes what was stored (`replace`), or gets the stored one
   * beside it (`keep-both`). An item that is there unchanged is always left alone.
   */
  conflict: 'skip' | 'replace' | 'keep-both';
  /** `missing`: what is not there; `changed`: what is there and differs. */
  only: 'everything' | 'missing' | 'changed';
  /** A folder of its own at the top of the target, such as `Restored 2026-11-21`, made where it is not there; `null`: where it was. */
  into: string | null;
  /** Shows what was restored: items of mailboxes get the category `Restored`, files, which know no categories, ` (restored)` behind their names. */
  mark: boolean;
  /** Messages come back unread. */
  markUnread: boolean;
  /** Whether what is in Deleted Items comes back too, when it was not chosen itself. */
  deletedItems: boolean;
  /** The same for Drafts. */
  drafts: boolean;
  /** Of files: with the earlier versions that were stored, or the last alone. */
  versions: 'all' | 'last';
  /** Of one file: the id of the earlier version that it is to become (`listParts`); `null`: what it was at the restore point. */
  earlierVersion: string | null;
  /** Whether files and folders are shared again as they were. No notifications are sent. */
  permissions: boolean;
}

export const RESTORE_OPTIONS: RestoreOptions = {
  conflict: 'skip',
  only: 'everything',
  into: null,
  mark: false,
  markUnread: false,
  deletedItems: true,
  drafts: true,
  versions: 'all',
  earlierVersion: null,
  permissions: false,
};

/** @throws `bad-request` for options that would restore nothing */
export function checkOptions({ conflict, only, into }: RestoreOptions): void {
  if (only === 'changed' && conflict === 'skip')
    throw new EngineError(
      'bad-request',
      'Only what changed was asked for, and what changed was to be skipped: nothing would be restored. Replace it or keep both.',
    );
  if (into !== null && into.trim() === '')
    throw new EngineError('bad-request', 'The folder to restore into needs a name.');
}
