import { useUser } from '../../kit/portal.tsx';
import { useSavePreference } from '../../kit/preferences.ts';
import type { Choice } from './choice.ts';

const RECENT_MAX = 6;
const TEXT_MAX = 300;

/** What was chosen last, the newest first, and how a choice becomes the newest. It is stored with the user. */
export function useRecent() {
  const recent = useUser().preferences['palette.recent'] ?? [];
  const save = useSavePreference('palette.recent');
  const remember = ({ key, label }: Choice) =>
    save((before = []) =>
      [{ key, label: label.slice(0, TEXT_MAX) }, ...before.filter((other) => other.key !== key)].slice(0, RECENT_MAX),
    );
  return { recent, remember };
}
