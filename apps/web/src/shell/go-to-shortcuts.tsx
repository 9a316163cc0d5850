import { useRouterState } from '@tanstack/react-router';
import { applicationOf } from '../entities/applications.ts';
import { useScopedTarget } from '../entities/scoped-target.ts';
import { type EntryScreen, labelOf } from '../kit/screen.ts';
import { useGo } from '../kit/screen-link.tsx';
import { useShortcut } from '../kit/shortcuts/use-shortcut.ts';
import { useOpenEntries } from '../kit/use-screens.ts';
import { useStarts } from './app-switcher.tsx';

/**
 * `g d` goes to the dashboard, and so on: each entry of the sidebar by its key. They are those of the application that is open, so that
 * letters do not run out; `g 1` goes to the first application, `g 2` to the second.
 */
export default function GoToShortcuts() {
  const application = useRouterState({ select: (state) => applicationOf(state.location.pathname) });
  const entries = useOpenEntries().filter((screen) => application === undefined || screen.application === application);
  const starts = useStarts();
  const others = starts.length < 2 ? [] : starts;
  return (
    <>
      {entries.map((screen) => (
        <GoTo key={screen.path} screen={screen} keyName={screen.entry.key} label={labelOf(screen)} />
      ))}
      {others.map((screen, place) => (
        <GoTo
          key={`to ${screen.path}`}
          screen={screen}
          keyName={`${place + 1}`}
          label={screen.application?.name ?? ''}
        />
      ))}
    </>
  );
}

function GoTo({ screen, keyName, label }: { screen: EntryScreen; keyName: string | undefined; label: string }) {
  const go = useGo();
  const scoped = useScopedTarget();
  useShortcut(`g ${keyName}`, `Go to ${label}`, () => go(scoped(screen)), keyName === undefined);
  return null;
}
