import { Button } from '@mantine/core';
import IconSelector from '@tabler/icons-react/dist/esm/icons/IconSelector.mjs';
import { useRouterState } from '@tanstack/react-router';
import { APPLICATIONS, applicationOf } from '../entities/applications.ts';
import { MenuItem } from '../kit/panel/menu-item.tsx';
import { Panel } from '../kit/panel/panel.tsx';
import { targetOf } from '../kit/place.ts';
import { type EntryScreen, startEntryOf } from '../kit/screen.ts';
import { useGo } from '../kit/screen-link.tsx';
import { useOpenEntries } from '../kit/use-screens.ts';
import styles from './header.module.css';

/** Switches between the applications in which something is open to the user, where there are several. */
export function AppSwitcher() {
  const go = useGo();
  const current = useRouterState({ select: (state) => applicationOf(state.location.pathname) });
  const starts = startsOf(useOpenEntries());
  if (starts.length < 2) return null;
  return (
    <Panel
      label="Application"
      align="end"
      trigger={(props) => (
        <Button {...props} variant="subtle" color="gray" rightSection={<IconSelector size={14} aria-hidden />}>
          <span className={styles.application}>{(current ?? starts[0]?.application)?.name}</span>
        </Button>
      )}
    >
      {(close) =>
        starts.map((screen) => (
          <MenuItem
            key={screen.path}
            onClick={() => {
              close();
              go(targetOf(screen));
            }}
          >
            {screen.application?.name}
          </MenuItem>
        ))
      }
    </Panel>
  );
}

/** The screen at which each application begins. */
function startsOf(entries: readonly EntryScreen[]): EntryScreen[] {
  return APPLICATIONS.flatMap((application) => startEntryOf(entries, application) ?? []);
}
