import { Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { applicationOf, o365 } from '../entities/applications.ts';
import { useTheme } from '../entities/theme.data.ts';
import { useBranding, usePortal, useSession } from '../kit/portal.tsx';
import type { Arrival } from '../kit/screen.ts';
import type { Session } from '../kit/session.ts';
import { useIsDrawn } from '../kit/use-is-drawn.ts';
import { bannersQuery, useBanners } from './banners.data.ts';
import { Banners } from './banners.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { OfflineBar } from './offline-bar.tsx';
import styles from './shell.module.css';
import { ShortcutHelp } from './shortcut-help.tsx';
import { Sidebar } from './sidebar.tsx';

/** No key is pressed before the page is drawn. */
const GoToShortcuts = lazy(() => import('./go-to-shortcuts.tsx'));
const Tracking = lazy(() => import('./tracking.tsx'));
const OwnProfile = lazy(() => import('./own-profile.tsx'));
const ActingBar = lazy(() => import('./acting-bar.tsx'));
const ClockBar = lazy(() => import('./clock-bar.tsx'));
const Microsoft365Prompts = lazy(() => import('./microsoft365-prompts.tsx'));

/** The banners decide when the screen is shown: they are asked for first. */
export function prefetch({ portal, queries }: Arrival): void {
  const user = portal.session.get()?.user;
  if (user !== undefined) void queries.prefetchQuery(bannersQuery(portal.api, user));
}

/**
 * Around every screen for signed-in users: that of the route, unless it is given something else. Without a session there
 * is nothing to show until sign-in is reached.
 */
export function Shell({ children = <Outlet /> }: { children?: ReactNode }) {
  const session = useSession();
  // Another user has a frame of the own, with a connection of the own.
  return session === null ? null : (
    <Frame key={session.user.id} session={session}>
      {children}
    </Frame>
  );
}

/** Sidebar, header, banners, screen, and the footer if the screen has one. */
function Frame({ session, children }: { session: Session; children: ReactNode }) {
  const theme = useTheme();
  const drawer = useDrawer();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const mainRef = useFocusOnArrival();
  const isWaiting = useWaitForBanners();
  const isMicrosoft365 = useRouterState({ select: (state) => applicationOf(state.location.pathname) === o365 });
  const hasFooter = useRouterState({ select: (state) => state.matches.at(-1)?.staticData.hasFooter === true });
  // The frame is drawn first and the screen right after it, in small steps: on a first load no task is of both.
  const isFrameDrawn = useIsDrawn();
  const { trackingUrl } = useBranding();
  useLiveConnection();
  return (
    <div className={styles.shell} data-mini={theme.isSidebarMini || undefined} data-drawer={drawer.isOpen || undefined}>
      <a className={styles.skip} href="#main">
        Skip to the content
      </a>
      <Sidebar isMini={theme.isSidebarMini} onPin={theme.toggleSidebar} />
      {drawer.isOpen && (
        <button type="button" className={styles.cover} aria-label="Close the navigation" onClick={drawer.close} />
      )}
      <div className={styles.column} inert={drawer.isOpen}>
        <Header theme={theme} onOpenDrawer={drawer.open} onHelp={() => setHelpOpen(true)} />
        <div>
          <OfflineBar />
          <Suspense fallback={null}>{trackingUrl !== null && <Tracking url={trackingUrl} />}</Suspense>
          <Suspense fallback={null}>{session.own !== undefined && <ActingBar session={session} />}</Suspense>
          {isFrameDrawn && (
            <AfterScreen>
              <ClockBar />
            </AfterScreen>
          )}
        </div>
        <main ref={mainRef} id="main" className={styles.main} data-waiting={isWaiting || undefined} tabIndex={-1}>
          <Banners />
          {isFrameDrawn && children}
        </main>
        <div className={styles.foot}>{hasFooter && <Footer />}</div>
      </div>
      {isFrameDrawn && (
        <AfterScreen>
          <GoToShortcuts />
          <OwnProfile />
        </AfterScreen>
      )}
      <Suspense fallback={null}>{isMicrosoft365 && <Microsoft365Prompts />}</Suspense>
      <ShortcutHelp isOpen={isHelpOpen} onOpen={() => setHelpOpen(true)} onClose={() => setHelpOpen(false)} />
    </div>
  );
}

/**
 * What most visits do not see is loaded once the screen has been drawn: each file that comes before interrupts its drawing. The boundary comes with its
 * content, as everything that is drawn at the same time would wait for the content of one that is there.
 */
function AfterScreen({ children }: { children: ReactNode }) {
  const isDrawn = useIsDrawn();
  return isDrawn && <Suspense fallback={null}>{children}</Suspense>;
}

/** The navigation as a drawer, on narrow screens. */
function useDrawer() {
  const [isOpen, setOpen] = useState(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the address closes it
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    if (!isOpen) return;
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false);
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [isOpen]);
  return { isOpen, open: () => setOpen(true), close: () => setOpen(false) };
}

/** After a change of screen the focus is at its beginning, for keyboards and screen readers. Not on the first one. */
function useFocusOnArrival() {
  const ref = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const before = useRef(path);
  useEffect(() => {
    if (before.current !== undefined && before.current !== path) ref.current?.focus({ preventScroll: true });
    before.current = path;
  }, [path]);
  return ref;
}

/**
 * Banners are above the screen: it stays unseen until they are known, or for this long at most, so that it does not
 * jump down. It asks for its own figures meanwhile.
 */
const BANNERS_WAIT_MS = 400;

function useWaitForBanners(): boolean {
  const { isPending } = useBanners();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), BANNERS_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  return isPending && !isOver;
}

function useLiveConnection(): void {
  const { live } = usePortal();
  useEffect(() => live.open(), [live]);
}
