import type { ConsoleKind } from '@keepwatch/contract/directory/console-kinds';
import { SIGN_ON_CLICKS_KEY } from '../kit/session.ts';

/** Counts a click on a console; the counts end with the session. Returns whether it was the first one. */
export function countClick(kind: ConsoleKind): boolean {
  const counted = (localStorage.getItem(SIGN_ON_CLICKS_KEY) ?? '').split(',');
  localStorage.setItem(SIGN_ON_CLICKS_KEY, [...new Set([...counted, kind])].join(','));
  return !counted.includes(kind);
}
