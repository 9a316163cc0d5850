import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
  redirect,
} from '@tanstack/react-router';
import type { Portal } from '../kit/portal.tsx';
import type { NavigationEntry, Screen } from '../kit/screen.ts';
import { parseSearch, stringifySearch } from '../kit/search-text.ts';
import { ErrorScreen } from './error-screen.tsx';
import { applicationOf, redirectOf, startOf } from './guards.ts';
import { NotFoundScreen } from './not-found.screen.tsx';
import { Page } from './page.tsx';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The screen's title. */
    title?: string;
    /** Whether the footer is below it. */
    hasFooter?: boolean;
  }
}

interface Options {
  portal: Portal;
  screens: readonly Screen[];
  navigation: readonly NavigationEntry[];
  /** Tests give one in memory; the browser's own otherwise. */
  history?: RouterHistory;
}

/** The router over all screens. Screens for signed-in users are inside the shell, which loads when one is opened. */
export function createPortalRouter({ portal, screens, navigation, history }: Options) {
  const built = navigation.filter((entry) => screens.some((screen) => screen.path === entry.path));
  const root = createRootRouteWithContext<{ portal: Portal; navigation: readonly NavigationEntry[] }>()({
    component: Page,
    notFoundComponent: NotFoundScreen,
  });
  const shell = createRoute({
    getParentRoute: () => root,
    id: 'shell',
    component: lazyRouteComponent(() => import('../shell/shell.tsx'), 'Shell'),
  });
  const toStart = ['/', '/monitoring'].map((path) =>
    createRoute({
      getParentRoute: () => root,
      path,
      beforeLoad: () => {
        throw redirect({ to: startOf(portal.session.get()?.user ?? null, built), replace: true });
      },
    }),
  );
  const isPlain = (screen: Screen) => screen.access === 'signed-out';
  const plain = screens.filter(isPlain).map((screen) => routeOf(screen, root, portal));
  const inShell = screens.filter((screen) => !isPlain(screen)).map((screen) => routeOf(screen, shell, portal));
  return createRouter({
    routeTree: root.addChildren([...toStart, ...plain, shell.addChildren(inShell), strayRoute(root, portal)]),
    context: { portal, navigation: built },
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
  void router.navigate({ to: '/login', search: isExpired ? { next } : {} });
}

function routeOf(screen: Screen, parent: AnyRoute, portal: Portal): AnyRoute {
  return createRoute({
    getParentRoute: () => parent,
    path: screen.path,
    component: lazyRouteComponent(screen.load),
    staticData: { title: screen.title, hasFooter: screen.hasFooter === true },
    beforeLoad: ({ location }) => guard(screen, portal, location.href),
  });
}

/** Every address without a screen. Those of Microsoft 365 are closed before it is said whether there is anything. */
function strayRoute(parent: AnyRoute, portal: Portal): AnyRoute {
  return createRoute({
    getParentRoute: () => parent,
    path: '$',
    component: NotFoundScreen,
    staticData: { title: 'Page not found' },
    beforeLoad: ({ location: { pathname, href } }) => {
      if (applicationOf(pathname) === 'o365') guard({ path: pathname, access: 'signed-in' }, portal, href);
    },
  });
}

/** Throws where the visit goes instead. */
function guard(screen: { access: Screen['access']; path: string }, portal: Portal, address: string): void {
  const detour = redirectOf(screen, portal.session.get()?.user ?? null, address);
  if (detour === null) return;
  const isStart = detour.next === undefined || detour.next === '/';
  throw redirect({ to: detour.to, search: isStart ? {} : { next: detour.next }, replace: true });
}
