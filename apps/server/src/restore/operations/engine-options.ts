import { type RestoreOptions as GivenOptions, restoreOptions } from '@keepwatch/contract/restore/explorer';
import type { RestoreOptions } from '@keepwatch/engine/engine';
import { invalid } from '../../foundation/errors.ts';

/** The options of a request with their defaults; a folder beside them counts as theirs. @throws 422 for those that would restore nothing */
export function requireOptions(given: GivenOptions | undefined, folder?: string): GivenOptions {
  const options = given ?? restoreOptions.parse({});
  if (options.only === 'changed' && options.conflict === 'skip')
    throw invalid([
      { path: 'body.options.conflict', message: 'must be replace or keep-both where only what changed is restored' },
    ]);
  const named = (folder ?? options.folder ?? '').trim();
  return { ...options, folder: named === '' ? null : named };
}

/** The same as the engine takes them. */
export function engineOptions(options: GivenOptions): RestoreOptions {
  return {
    conflict: options.conflict,
    only: options.only,
    into: options.folder,
    mark: options.markRestored,
    markUnread: options.markRestoredAsUnread,
    deletedItems: !options.excludeDeletedItems,
    drafts: !options.excludeDrafts,
    versions: options.documentVersion === 'Last' ? 'last' : 'all',
    earlierVersion: options.earlierVersion,
    permissions: options.restorePermissions,
  };
}
