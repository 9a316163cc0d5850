import { ActionIcon } from '@mantine/core';
import IconKeyboard from '@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs';
import IconMenu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs';
import IconMoon from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs';
import IconSun from '@tabler/icons-react/dist/esm/icons/IconSun.mjs';
import { useRouterState } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { applicationOf, o365 } from '../entities/applications.ts';
import { useMayScope } from '../entities/scoped-target.ts';
import type { ThemeControl } from '../entities/theme.data.ts';
import { targetOf } from '../kit/place.ts';
import { ScreenLink } from '../kit/screen-link.tsx';
import { useScreens } from '../kit/use-screens.ts';
import styles from './header.module.css';
import { LastSync } from './last-sync.tsx';
import { PaletteButton } from './palette/palette-button.tsx';
import { UserMenu } from './user-menu.tsx';

const CompanyScope = lazy(() => import('./company-scope.tsx'));
const Activity = lazy(() => import('./activity/activity.tsx'));

interface HeaderProps {
  theme: ThemeControl;
  onOpenDrawer: () => void;
  onHelp: () => void;
}

/** The bar above every screen: where one is, how fresh the figures are, looks, account. */
export function Header({ theme, onOpenDrawer, onHelp }: HeaderProps) {
  const title = useRouterState({ select: (state) => state.matches.at(-1)?.staticData.title });
  // What is synced is shown in the monitoring alone (specification "portal", part 2).
  const application = useRouterState({ select: (state) => applicationOf(state.location.pathname) });
  const mayScope = useMayScope();
  const other = theme.mode === 'dark' ? 'light' : 'dark';
  const ModeIcon = theme.mode === 'dark' ? IconSun : IconMoon;
  return (
    <header className={styles.header}>
      <ActionIcon className={styles.burger} aria-label="Open the navigation" onClick={onOpenDrawer}>
        <IconMenu2 size={18} aria-hidden />
      </ActionIcon>
      <Parent />
      <h1 className={styles.title}>{title}</h1>
      {mayScope && (
        <Suspense fallback={null}>
          <CompanyScope />
        </Suspense>
      )}
      <PaletteButton theme={theme} onHelp={onHelp} />
      <Suspense fallback={null}>{application === o365 ? <Activity /> : <LastSync />}</Suspense>
      <ActionIcon
        className={styles.keyboard}
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
        onClick={onHelp}
      >
        <IconKeyboard size={18} stroke={1.6} aria-hidden />
      </ActionIcon>
      <ActionIcon aria-label={`Switch to ${other} mode`} title={`Switch to ${other} mode`} onClick={theme.toggleMode}>
        <ModeIcon size={18} stroke={1.6} aria-hidden />
      </ActionIcon>
      <UserMenu />
    </header>
  );
}

/** Of a screen below a list: the way back to it. */
function Parent() {
  const parent = useRouterState({ select: (state) => state.matches.at(-1)?.staticData.parent });
  const screen = useScreens().find(({ path }) => path === parent?.path);
  if (screen === undefined) return null;
  return (
    <nav className={styles.parent} aria-label="Breadcrumb">
      <ScreenLink to={targetOf(screen)}>{screen.title}</ScreenLink>
      <span aria-hidden>›</span>
    </nav>
  );
}
