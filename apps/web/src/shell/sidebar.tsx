import IconChevron from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import IconExternal from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs';
import IconPin from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftCollapse.mjs';
import IconPinned from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftExpand.mjs';
import { useRouterState } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { applicationOf } from '../entities/applications.ts';
import { start } from '../entities/places.ts';
import { useScopedTarget } from '../entities/scoped-target.ts';
import layouts from '../entities/sidebar-layout.module.css';
import { useBranding, useUser } from '../kit/portal.tsx';
import { type EntryScreen, labelOf } from '../kit/screen.ts';
import { ScreenLink } from '../kit/screen-link.tsx';
import { SIDEBAR_ICONS } from '../kit/sidebar-icons.ts';
import { useOpenEntries } from '../kit/use-screens.ts';
import { AppSwitcher } from './app-switcher.tsx';
import styles from './sidebar.module.css';
import { type ExternalLink, SUPPORT, useSupportLinks } from './support-links.ts';
import { useFolded } from './use-folded.ts';

/** After the page is drawn: no user waits for a figure. */
const EntryCount = lazy(() => import('./entry-count.tsx'));

interface SidebarProps {
  isMini: boolean;
  onPin: () => void;
}

/** The way to every screen that is built and that the user may open. */
export function Sidebar({ isMini, onPin }: SidebarProps) {
  const open = useEntriesHere();
  const links = useSupportLinks();
  const { theme } = useUser();
  const { layout } = useBranding();
  const groups = [...new Set([...open.map(({ entry }) => entry.group), ...(links.length > 0 ? [SUPPORT] : [])])];
  const Icon = isMini ? IconPinned : IconPin;
  const pinWord = isMini ? 'Pin sidebar' : 'Unpin sidebar';
  return (
    <nav
      className={`${styles.sidebar} ${layouts.sidebar}`}
      aria-label="Main"
      data-color={theme.sidebarColor}
      data-layout={layout}
    >
      <Brand />
      <AppSwitcher />
      <div className={styles.entries}>
        {groups.map((group) => (
          <Group
            key={group ?? ''}
            name={group}
            isMini={isMini}
            entries={open.filter(({ entry }) => entry.group === group)}
            links={group === SUPPORT ? links : []}
          />
        ))}
      </div>
      <button type="button" className={styles.pin} title={isMini ? pinWord : undefined} onClick={onPin}>
        <Icon size={18} stroke={1.6} aria-hidden />
        <span className={styles.label}>{pinWord}</span>
      </button>
    </nav>
  );
}

/** Those of the application in which the user is; at an address of none, those of the one in which the user begins. */
function useEntriesHere(): readonly EntryScreen[] {
  const entries = useOpenEntries();
  const { landingApp } = useUser();
  const here = useRouterState({ select: (state) => applicationOf(state.location.pathname) });
  const application = here ?? applicationOf(landingApp?.page ?? '') ?? entries[0]?.application;
  return entries.filter((screen) => screen.application === application);
}

interface GroupProps {
  name: string | undefined;
  isMini: boolean;
  entries: readonly EntryScreen[];
  links: readonly ExternalLink[];
}

/** A group with a heading folds. The entry of the screen that is open stays. */
function Group({ name, isMini, entries, links }: GroupProps) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const { isFolded, toggle } = useFolded(name);
  // Without headings there is nothing that would unfold them.
  const isShort = isFolded && !isMini;
  const shown = isShort ? entries.filter((screen) => path.startsWith(screen.path)) : entries;
  const entriesOf = (isBelow: boolean) =>
    shown
      .filter(({ entry }) => (entry.isBelowLinks === true) === isBelow)
      .map((screen) => <EntryLink key={screen.path} screen={screen} isMini={isMini} />);
  return (
    <section className={styles.group} aria-label={name}>
      {name !== undefined && (
        <h2 className={styles.heading}>
          <button
            type="button"
            className={styles.fold}
            aria-expanded={!isShort}
            tabIndex={isMini ? -1 : 0}
            onClick={toggle}
          >
            {name}
            <IconChevron size={14} className={styles.chevron} aria-hidden />
          </button>
        </h2>
      )}
      {entriesOf(false)}
      {!isShort &&
        links.map(({ label, hint, url }) => (
          <a key={url} className={styles.entry} href={url} title={hint} target="_blank" rel="noreferrer">
            <IconExternal size={18} stroke={1.6} aria-hidden />
            <span className={styles.label}>{label}</span>
          </a>
        ))}
      {entriesOf(true)}
    </section>
  );
}

/** The label is hidden in the mini sidebar; then it shows on hovering. */
function EntryLink({ screen, isMini }: { screen: EntryScreen; isMini: boolean }) {
  const scoped = useScopedTarget();
  const Icon = SIDEBAR_ICONS[screen.entry.icon];
  const label = labelOf(screen);
  const { counts } = screen.entry;
  return (
    <ScreenLink
      to={scoped(screen)}
      className={styles.entry}
      isCurrentByPath
      title={screen.entry.hint ?? (isMini ? label : undefined)}
    >
      <Icon size={18} stroke={1.6} aria-hidden />
      <span className={styles.label}>{label}</span>
      {counts !== undefined && (
        <Suspense fallback={null}>
          <EntryCount of={counts} />
        </Suspense>
      )}
    </ScreenLink>
  );
}

function Brand() {
  const branding = useBranding();
  return (
    <ScreenLink to={start.at()} className={styles.brand}>
      {branding.sidebarLogoUrl === null ? (
        <span className={styles.mark} aria-hidden />
      ) : (
        <img
          src={branding.sidebarLogoUrl}
          alt=""
          width={branding.sidebarLogoWidth ?? 20}
          height={branding.sidebarLogoHeight ?? 20}
          className={styles.logo}
        />
      )}
      <span className={styles.label}>{branding.sidebarTitle}</span>
    </ScreenLink>
  );
}
