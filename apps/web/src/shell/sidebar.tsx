import IconPin from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftCollapse.mjs';
import IconPinned from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftExpand.mjs';
import { useRouterState } from '@tanstack/react-router';
import { applicationOf } from '../entities/applications.ts';
import { start } from '../entities/places.ts';
import { targetOf } from '../kit/place.ts';
import { useBranding } from '../kit/portal.tsx';
import { type EntryScreen, labelOf } from '../kit/screen.ts';
import { ScreenLink } from '../kit/screen-link.tsx';
import { SIDEBAR_ICONS } from '../kit/sidebar-icons.ts';
import { useOpenEntries } from '../kit/use-screens.ts';
import styles from './sidebar.module.css';

interface SidebarProps {
  isMini: boolean;
  onPin: () => void;
}

/** The way to every screen that is built and that the user may open. */
export function Sidebar({ isMini, onPin }: SidebarProps) {
  const open = useEntriesHere();
  const groups = [...new Set(open.map(({ entry }) => entry.group))];
  const Icon = isMini ? IconPinned : IconPin;
  const pinWord = isMini ? 'Pin sidebar' : 'Unpin sidebar';
  return (
    <nav className={styles.sidebar} aria-label="Main">
      <Brand />
      <div className={styles.entries}>
        {groups.map((group) => (
          <section key={group ?? ''} className={styles.group} aria-label={group}>
            {group !== undefined && <h2 className={styles.heading}>{group}</h2>}
            {open
              .filter(({ entry }) => entry.group === group)
              .map((screen) => (
                <EntryLink key={screen.path} screen={screen} isMini={isMini} />
              ))}
          </section>
        ))}
      </div>
      <button type="button" className={styles.pin} title={isMini ? pinWord : undefined} onClick={onPin}>
        <Icon size={18} stroke={1.6} aria-hidden />
        <span className={styles.label}>{pinWord}</span>
      </button>
    </nav>
  );
}

/** Those of the application in which the user is. */
function useEntriesHere(): readonly EntryScreen[] {
  const application = useRouterState({ select: (state) => applicationOf(state.location.pathname) });
  return useOpenEntries().filter((screen) => application === undefined || screen.application === application);
}

/** The label is hidden in the mini sidebar; then it shows on hovering. */
function EntryLink({ screen, isMini }: { screen: EntryScreen; isMini: boolean }) {
  const Icon = SIDEBAR_ICONS[screen.entry.icon];
  const label = labelOf(screen);
  return (
    <ScreenLink to={targetOf(screen)} className={styles.entry} isCurrentByPath title={isMini ? label : undefined}>
      <Icon size={18} stroke={1.6} aria-hidden />
      <span className={styles.label}>{label}</span>
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
