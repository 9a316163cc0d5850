import { targetOf } from '../kit/place.ts';
import { type EntryScreen, labelOf } from '../kit/screen.ts';
import { useGo } from '../kit/screen-link.tsx';
import { useShortcut } from '../kit/shortcuts/use-shortcut.ts';
import { useOpenEntries } from '../kit/use-screens.ts';

/** `g d` goes to the dashboard, and so on: each entry of the sidebar by its key. */
export function GoToShortcuts() {
  return useOpenEntries()
    .filter(({ entry }) => entry.key !== undefined)
    .map((screen) => <GoTo key={screen.path} screen={screen} />);
}

function GoTo({ screen }: { screen: EntryScreen }) {
  const go = useGo();
  useShortcut(`g ${screen.entry.key}`, `Go to ${labelOf(screen)}`, () => go(targetOf(screen)));
  return null;
}
