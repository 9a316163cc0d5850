import { Checkbox, NativeSelect } from '@mantine/core';
import { SIDEBAR_COLORS } from '../../entities/sidebar-colors.ts';
import { useTheme } from '../../entities/theme.data.ts';
import { capital } from '../../kit/format/words.ts';
import { useUser } from '../../kit/portal.tsx';
import styles from './profile.module.css';

const MODES = { auto: 'As the system has it', light: 'Light', dark: 'Dark' } as const;

/** How the portal looks to the user: applied at once. */
export function Looks() {
  const { theme } = useUser();
  const { change } = useTheme();
  return (
    <div className={styles.looks}>
      <NativeSelect
        label="Mode"
        value={theme.mode}
        data={Object.entries(MODES).map(([value, label]) => ({ value, label }))}
        onChange={({ currentTarget }) => change({ mode: modeOf(currentTarget.value) })}
      />
      <NativeSelect
        label="Colour of the sidebar"
        value={theme.sidebarColor}
        data={SIDEBAR_COLORS.map((value) => ({ value, label: capital(value) }))}
        onChange={({ currentTarget }) => change({ sidebarColor: currentTarget.value })}
      />
      <Checkbox
        label="Mini sidebar, with icons alone"
        checked={theme.sidebarMini}
        onChange={({ currentTarget }) => change({ sidebarMini: currentTarget.checked })}
      />
    </div>
  );
}

function modeOf(text: string): keyof typeof MODES {
  return text === 'dark' || text === 'light' ? text : 'auto';
}
