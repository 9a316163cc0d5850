import { CONSOLE_KIND_TEXTS, CONSOLE_KINDS } from '@keepwatch/contract/directory/console-kinds';
import IconSelector from '@tabler/icons-react/dist/esm/icons/IconSelector.mjs';
import { useRouterState } from '@tanstack/react-router';
import { APPLICATIONS, applicationOf } from '../entities/applications.ts';
import { consolePage } from '../entities/places.ts';
import { useScopedTarget } from '../entities/scoped-target.ts';
import { MenuItem } from '../kit/panel/menu-item.tsx';
import { Panel } from '../kit/panel/panel.tsx';
import { useSession, useUser } from '../kit/portal.tsx';
import { type EntryScreen, startEntryOf } from '../kit/screen.ts';
import { useGo } from '../kit/screen-link.tsx';
import { useOpenEntries } from '../kit/use-screens.ts';
import styles from './sidebar.module.css';

/** Switches between the applications in which something is open to the user, where there are several. */
export function AppSwitcher() {
  const go = useGo();
  const scoped = useScopedTarget();
  const current = useRouterState({ select: (state) => applicationOf(state.location.pathname) });
  const starts = useStarts();
  const consoles = useConsoles();
  if (starts.length + consoles.length < 2) return null;
  return (
    <Panel
      label="Application"
      trigger={(props) => (
        <button {...props} type="button" className={styles.switcher}>
          <IconSelector size={18} stroke={1.6} aria-hidden />
          <span className={styles.label}>{(current ?? starts[0]?.application)?.name}</span>
        </button>
      )}
    >
      {(close) => [
        ...starts.map((screen) => (
          <MenuItem
            key={screen.path}
            onClick={() => {
              close();
              go(scoped(screen));
            }}
          >
            {screen.application?.name}
          </MenuItem>
        )),
        ...consoles.map((provider) => (
          <MenuItem
            key={provider}
            onClick={() => {
              close();
              go(consolePage.at({ provider }));
            }}
          >
            {CONSOLE_KIND_TEXTS[provider]}
          </MenuItem>
        )),
      ]}
    </Panel>
  );
}

/** The consoles in which the user has an account, which an administrator who acts as the user does not open. */
function useConsoles() {
  const { sso } = useUser();
  const { own } = useSession() ?? {};
  return own === undefined ? CONSOLE_KINDS.filter((kind) => sso[kind]) : [];
}

/** The screen at which each application begins for the user. */
export function useStarts(): readonly EntryScreen[] {
  const entries = useOpenEntries();
  const { landingApp } = useUser();
  return APPLICATIONS.flatMap((application) => startEntryOf(entries, application, landingApp?.page) ?? []);
}
