import type { User } from '@keepwatch/contract/identity/sessions';
import { monitoring } from '../entities/applications.ts';
import { start } from '../entities/places.ts';
import type { Screen, ScreenCode } from '../kit/screen.ts';
import { redirectOf, startOf } from './guards.ts';
import { nextTask } from './next-task.ts';

interface Visit {
  screens: readonly Screen[];
  user: User | null;
  /** The address's path. */
  path: string;
}

/** Code that can ask the server before it is drawn. */
type FirstCode = Pick<ScreenCode, 'prefetch'>;

/**
 * Begins to load the code of the screen at which a visit starts: the router would only ask for it once the brand
 * is known, and a first load would wait for one after the other. The brand is asked for meanwhile, so its switches count as on. Where the router is going to send the visitor elsewhere,
 * nothing is loaded.
 */
export function loadFirstScreen({ screens, user, path }: Visit): Promise<readonly FirstCode[]> {
  const target =
    path === start.path
      ? startOf(screens, user, null)
      : path === monitoring.path
        ? startOf(screens, user, null, monitoring)
        : path;
  const screen = screens.find((known) => known.path === target);
  if (screen === undefined || redirectOf(screen, user, null, target) !== null) return Promise.resolve([]);
  const shell = screen.access === 'signed-out' ? [] : [() => import('../shell/shell.tsx')];
  const loads: (() => Promise<FirstCode>)[] = [...shell, () => screen.load()];
  // Each names files to the browser, which takes some milliseconds. What cannot be loaded is said by the router, which asks for the same code in a moment.
  return Promise.all(loads.map((load) => nextTask().then(load))).catch(() => []);
}
