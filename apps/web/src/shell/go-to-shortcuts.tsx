import { useNavigate } from '@tanstack/react-router';
import { userAllows, useUser } from '../kit/portal.tsx';
import type { NavigationEntry } from '../kit/screen.ts';
import { useShortcut } from '../kit/shortcuts/use-shortcut.ts';

/** `g d` goes to the dashboard, and so on: each entry of the sidebar by its key. */
export function GoToShortcuts({ entries }: { entries: readonly NavigationEntry[] }) {
  const user = useUser();
  return entries
    .filter((entry) => entry.key !== undefined && userAllows(user, entry.ability))
    .map((entry) => <GoTo key={entry.path} entry={entry} />);
}

function GoTo({ entry }: { entry: NavigationEntry }) {
  const navigate = useNavigate();
  useShortcut(`g ${entry.key}`, `Go to ${entry.label}`, () => void navigate({ to: entry.path }));
  return null;
}
