import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
  redirect,
} from '@tanstack/react-router';
import { admin, applicationOf, monitoring, o365 } from '../entities/applications.ts';
import { signIn, start } from '../entities/places.ts';
import { scopedSearch } from '../entities/scoped-search.ts';
import { parseSearch, type SearchTexts, stringifySearch } from '../kit/address/search-text.ts';
import type { Application, Place } from '../kit/place.ts';
import type { Portal } from '../kit/portal.tsx';
import type { Screen } from '../kit/screen.ts';
import { ErrorScreen } from './error-screen.tsx';
import { redirectOf, startOf } from './guards.ts';
import { Page } from './page.tsx';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The screen's title. */
    title?: string;
    /** Whether the footer is below it. */
    hasFooter?: boolean;
    /** The list that it is below. */
    parent?: Place;
    /** Whether its address has the filter `company`. */
    hasCompanyFilter?: boolean;
  }
}

/** Its code comes when it is needed: the sign-in page has nothing of it. */
const NotFoundScreen = lazyRouteComponent(() => import('./not-found.screen.tsx'), 'NotFoundScreen');

/** Addresses that lead on to the first open screen, of the whole portal or of an application. */
const STARTS: readonly { path: Place['path']; application?: Application }[] = [
  { path: start.path },
  { path: monitoring.path },
  { path: o365.path, application: o365 },
  { path: admin.path, application: admin },
];

interface Options {
  portal: Portal;
  screens: readonly Screen[];
  /** Tests give one in memory; the browser's own otherwise. */
  history?: RouterHistory;
}

/** The router over all screens. Screens for signed-in users are inside the shell, which loads when one is opened. */
export function createPortalRouter({ portal, screens, history }: Options) {
  const root = createRootRouteWithContext<{ screens: readonly Screen[] }>()({
    component: Page,
    notFoundComponent: NotFoundScreen,
  });
  const shell = createRoute({
    getParentRoute: () => root,
    id: 'shell',
    component: lazyRouteComponent(() => import('../shell/shell.tsx'), 'Shell'),
  });
  const toStart = STARTS.map(({ path, application }) =>
    createRoute({
      getParentRoute: () => root,
      path,
      beforeLoad: ({ location }) => {
        // Where it leads depends on who signs in.
        guard({ path, access: 'signed-in' }, portal, location.href);
        const user = portal.session.get()?.user ?? null;
        throw redirect({ to: startOf(screens, user, portal.branding, application), replace: true });
      },
    }),
  );
  const isPlain = ({ access }: Screen) => access === 'signed-out' || access === 'everybody';
  const plain = screens.filter(isPlain).map((screen) => routeOf(screen, root, portal));
  const inShell = screens.filter((screen) => !isPlain(screen)).map((screen) => routeOf(screen, shell, portal));
  return createRouter({
    routeTree: root.addChildren([...toStart, ...plain, shell.addChildren(inShell), strayRoute(root, portal)]),
    context: { screens },
    parseSearch,
    stringifySearch,
    scrollRestoration: false,
    defaultPreload: 'intent',
    defaultPendingMs: 150,
    defaultErrorComponent: ErrorScreen,
    ...(history === undefined ? {} : { history }),
  });
}

/** Goes to the sign-in page. Whose session ran out in the middle of the work comes back to it. */
export function goToSignIn(router: ReturnType<typeof createPortalRouter>, isExpired: boolean): void {
  const next = router.state.location.href;
  void router.navigate({ to: signIn.path, search: isExpired ? { next } : {} });
}

function routeOf(screen: Screen, parent: AnyRoute, portal: Portal): AnyRoute {
  return createRoute({
    getParentRoute: () => parent,
    path: screen.path,
    component: lazyRouteComponent(screen.load),
    staticData: {
      title: screen.title,
      hasFooter: screen.hasFooter === true,
      hasCompanyFilter: screen.hasCompanyFilter === true,
      ...(screen.parent === undefined ? {} : { parent: screen.parent }),
    },
    beforeLoad: ({ location, cause }) => {
      guard(screen, portal, location.href);
      // What is changed on the screen itself stays as it was changed.
      if (cause !== 'stay') narrow(screen, portal, location);
    },
  });
}

/** Every address without a screen. Those of an application with a condition are closed before it is said whether there is anything. */
function strayRoute(parent: AnyRoute, portal: Portal): AnyRoute {
  return createRoute({
    getParentRoute: () => parent,
    path: '$',
    component: NotFoundScreen,
    staticData: { title: 'Page not found' },
    beforeLoad: ({ location: { pathname, href } }) => {
      const application = applicationOf(pathname);
      if (application?.admits !== undefined)
        guard({ path: start.path, access: 'signed-in', application }, portal, href);
    },
  });
}

/** Throws the address of the screen with the companies that the user works on. */
function narrow(place: Place, portal: Portal, { pathname, search }: { pathname: string; search: SearchTexts }): void {
  const scoped = scopedSearch(place, search, portal.session.get()?.user ?? null);
  if (scoped !== null) throw redirect({ to: pathname, search: { ...scoped }, replace: true });
}

/** Throws where the visit goes instead. */
function guard(place: Place, portal: Portal, address: string): void {
  const target = redirectOf(place, portal.session.get()?.user ?? null, portal.branding, address);
  if (target === null) return;
  const isStart = target.next === undefined || target.next === start.path;
  throw redirect({ to: target.to, search: isStart ? {} : { next: target.next }, replace: true });
}
