import type { SessionStore } from '../kit/session.ts';

export const VERSION_KEY = 'keepwatch.version';

/**
 * Signs out when the portal's version has changed since the last visit, so that no session outlives its format
 * (specification "portal", part 4, version check). A first visit has nothing to compare with.
 */
export function checkVersion(current: string, session: SessionStore, storage: Storage): void {
  const stored = storage.getItem(VERSION_KEY);
  if (stored !== null && stored !== current) session.end();
  if (stored !== current) storage.setItem(VERSION_KEY, current);
}
