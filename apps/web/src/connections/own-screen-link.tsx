import { sources } from '../entities/places.ts';
import type { Place } from '../kit/place.ts';
import { targetOf } from '../kit/place.ts';
import { ScreenLink } from '../kit/screen-link.tsx';

/** Where connections of a port are created and changed that have a screen of their own. */
const SCREENS: Readonly<Record<string, { place: Place; name: string }>> = {
  'backup-source': { place: sources, name: 'Sources' },
};

/** Leads to the screen on which connections of this port are managed. */
export function OwnScreenLink({ port }: { port: string }) {
  const screen = SCREENS[port];
  return screen === undefined ? null : <ScreenLink to={targetOf(screen.place)}>Managed in {screen.name}</ScreenLink>;
}
