import type { Caller } from '../wire/graph-call.ts';

/**
 * Whether a caller has a permission. A delegated scope for what is shared includes the user's own.
 * https://learn.microsoft.com/graph/permissions-reference#mailreadshared
 */
export const isGranted = (caller: Caller, name: string): boolean =>
  caller.permissions.has(name) || hasSharedScope(caller, [name]);

/** Whether a signed-in user lets the application reach what others share with them, by one of the permissions. */
export const hasSharedScope = ({ userId, permissions }: Caller, names: readonly string[]): boolean =>
  userId !== null && names.some((name) => permissions.has(`${name}.Shared`));
