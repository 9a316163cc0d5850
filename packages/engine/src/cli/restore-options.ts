import type { ItemScope } from '../browse/item-scope.ts';
import { EngineError } from '../model/engine-error.ts';
import type { ObjectKind } from '../model/protected-object.ts';
import { RESTORE_OPTIONS, type RestoreOptions } from '../restore/restore-options.ts';
import type { Given } from './given.ts';

export const CONFLICTS = ['skip', 'replace', 'keep-both'] as const;
export const ONLY = ['everything', 'missing', 'changed'] as const;

const MAIL = ['mailbox', 'archive'] as const;
/** Options that mean something for objects of some kinds alone. */
const OF_KINDS: Readonly<Record<string, readonly ObjectKind[]>> = {
  permissions: ['drive'],
  'last-version': ['drive'],
  version: ['drive'],
  unread: MAIL,
  attachment: ['mailbox'],
  'without-deleted-items': MAIL,
  'without-drafts': MAIL,
};

/** Refuses an option that does nothing here: the user expects something of it. */
export function refuseIdle(given: Given, { kind, name }: ItemScope['object']): void {
  for (const [option, kinds] of Object.entries(OF_KINDS)) {
    if (!given.isGiven(option) || kinds.includes(kind)) continue;
    const text = `--${option} does nothing for '${name}', which is a ${kind}: it is for ${kinds.join(' and ')}. Leave it out.`;
    throw new EngineError('bad-request', text);
  }
}

/** How the items are to come back, as the options say. */
export function readRestoreOptions(given: Given): RestoreOptions {
  return {
    conflict: given.oneOf('conflict', CONFLICTS, RESTORE_OPTIONS.conflict),
    only: given.oneOf('only', ONLY, RESTORE_OPTIONS.only),
    into: given.text('into') ?? null,
    mark: given.has('mark'),
    markUnread: given.has('unread'),
    deletedItems: !given.has('without-deleted-items'),
    drafts: !given.has('without-drafts'),
    versions: given.has('last-version') ? 'last' : 'all',
    earlierVersion: given.text('version') ?? null,
    permissions: given.has('permissions'),
  };
}
