import IconPin from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftCollapse.mjs';
import IconPinned from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftExpand.mjs';
import { Link } from '@tanstack/react-router';
import { useBranding, userAllows, useUser } from '../kit/portal.tsx';
import type { NavigationEntry } from '../kit/screen.ts';
import styles from './sidebar.module.css';

interface SidebarProps {
  entries: readonly NavigationEntry[];
  isMini: boolean;
  onPin: () => void;
}

/** The way to every screen that is built and that the user may open. */
export function Sidebar({ entries, isMini, onPin }: SidebarProps) {
  const user = useUser();
  const open = entries.filter((entry) => userAllows(user, entry.ability));
  const groups = [...new Set(open.map((entry) => entry.group))];
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
              .filter((entry) => entry.group === group)
              .map((entry) => (
                <Entry key={entry.path} entry={entry} isMini={isMini} />
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

/** The label is hidden in the mini sidebar; then it shows on hovering. */
function Entry({ entry, isMini }: { entry: NavigationEntry; isMini: boolean }) {
  const Icon = entry.icon;
  return (
    <Link
      to={entry.path}
      className={styles.entry}
      activeOptions={{ includeSearch: false }}
      title={isMini ? entry.label : undefined}
    >
      <Icon size={18} stroke={1.6} aria-hidden />
      <span className={styles.label}>{entry.label}</span>
    </Link>
  );
}

function Brand() {
  const branding = useBranding();
  return (
    <Link to="/" className={styles.brand}>
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
    </Link>
  );
}
