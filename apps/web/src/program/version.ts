import type { SessionStore } from '../kit/session.ts';

export const VERSION_KEY = 'keepwatch.version';

/** The pages with which customers register, O365Provisioning and O365EmailVerification: a link in a mail opens them to the end. */
const EXEMPT = /^\/o365\/register(\/|$)/;

/**
 * Signs out when the portal's version has changed since the last visit, so that no session outlives its format
 * (specification "portal", part 4, version check). A first visit has nothing to compare with, and a visit that begins at an exempt page
 * leaves the check to the next one.
 */
export function checkVersion(current: string, session: SessionStore, storage: Storage, path: string): void {
  if (EXEMPT.test(path)) return;
  const stored = storage.getItem(VERSION_KEY);
  if (stored !== null && stored !== current) session.end();
  if (stored !== current) storage.setItem(VERSION_KEY, current);
}
