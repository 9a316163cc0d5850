import { useRouterState } from '@tanstack/react-router';
import { applicationOf } from '../entities/applications.ts';
import { useUser } from '../kit/portal.tsx';
import { useSavePreference } from '../kit/preferences.ts';

/** Whether a group of the sidebar is folded, which is stored with the user: for each application apart. */
export function useFolded(group = '') {
  const application = useRouterState({ select: (state) => applicationOf(state.location.pathname)?.path ?? '' });
  const name = `${application} ${group}`;
  const isFolded = (useUser().preferences['sidebar.folded'] ?? []).includes(name);
  const save = useSavePreference('sidebar.folded');
  const toggle = () =>
    save((before = []) => (before.includes(name) ? before.filter((other) => other !== name) : [...before, name]));
  return { isFolded, toggle };
}
