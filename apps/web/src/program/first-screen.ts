import type { User } from '@keepwatch/contract/identity/sessions';
import type { NavigationEntry, Screen, ScreenCode } from '../kit/screen.ts';
import { redirectOf, startOf } from './guards.ts';

interface Visit {
  screens: readonly Screen[];
  navigation: readonly NavigationEntry[];
  user: User | null;
  /** The address's path. */
  path: string;
}

/** Code that can ask the server before it is drawn. */
type FirstCode = Pick<ScreenCode, 'prefetch'>;

/**
 * Begins to load the code of the screen at which a visit starts: the router would only ask for it once the page is
 * drawn, and a first load would wait for one after the other. Where the router is going to send the visitor elsewhere,
 * nothing is loaded.
 */
export function loadFirstScreen({ screens, navigation, user, path }: Visit): Promise<readonly FirstCode[]> {
  const target = path === '/' || path === '/monitoring' ? startOf(user, navigation) : path;
  const screen = screens.find((known) => known.path === target);
  if (screen === undefined || redirectOf(screen, user, target) !== null) return Promise.resolve([]);
  const shell = screen.access === 'signed-out' ? [] : [import('../shell/shell.tsx')];
  // What cannot be loaded is said by the router, which asks for the same code in a moment.
  return Promise.all([...shell, screen.load()]).catch(() => []);
}
