import './styles.ts';
import type { User } from '@keepwatch/contract/identity/sessions';
import type { Transport } from '@keepwatch/contract/wire/client';
import { RouterProvider } from '@tanstack/react-router';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { scopedSearch } from '../entities/scoped-search.ts';
import { parseSearch, type SearchTexts } from '../kit/address/search-text.ts';
import { createColorSchemeManager, printLight } from '../kit/color-scheme.ts';
import type { Screen } from '../kit/screen.ts';
import { createSessionStore } from '../kit/session.ts';
import { applyBranding, fetchBranding } from './branding.ts';
import { loadFirstScreen } from './first-screen.ts';
import { loadBeforeDrawing } from './load-before-drawing.ts';
import { nextTask } from './next-task.ts';
import { createPortal } from './portal.ts';
import { Providers } from './providers.tsx';
import { createQueries } from './queries.ts';
import { createPortalRouter, goToSignIn } from './router.tsx';
import { screens } from './screens.ts';
import { showStartFailure } from './start-failure.ts';
import { checkVersion } from './version.ts';

async function start(root: HTMLElement): Promise<void> {
  const session = createSessionStore(localStorage);
  const transport: Transport = {
    fetch: (...request) => fetch(...request),
    origin: '',
    token: () => session.get()?.token ?? null,
  };
  const user = session.get()?.user ?? null;
  const first = loadFirstScreen({ screens, user, path: location.pathname });
  const [branding, codes] = await Promise.all([fetchBranding(transport), first]);
  // The last file of the screen has just been evaluated: making the portal, and drawing it, are tasks of their own.
  await nextTask();
  applyBranding(branding, document);
  checkVersion(branding.version, session, localStorage, location.pathname);
  const queries = createQueries();
  const portal = createPortal({
    transport,
    branding,
    session,
    queries,
    leave: (isExpired) => goToSignIn(router, isExpired),
    arrive: (address) => location.assign(address),
  });
  const router = createPortalRouter({ portal, screens });
  const search = firstSearch(screens, user);
  for (const { prefetch } of codes) prefetch?.({ portal, queries, search });
  await nextTask();
  await loadBeforeDrawing(router);
  portal.shortcuts.listen(window);
  portal.connection.listen(window);
  printLight(window);
  const page = (
    <Providers
      portal={portal}
      queries={queries}
      colorSchemeManager={createColorSchemeManager(localStorage)}
      defaultColorScheme="auto"
    >
      <RouterProvider router={router} />
    </Providers>
  );
  // As a transition it is drawn in small steps: the page stays responsive and receives what the server sends.
  startTransition(() => createRoot(root).render(page));
}

/** What the address is going to say once the router has narrowed it to the companies that the user works on. */
function firstSearch(known: readonly Screen[], user: User | null): SearchTexts {
  const given = parseSearch(location.search);
  const screen = known.find(({ path }) => path === location.pathname);
  return screen === undefined ? given : (scopedSearch(screen, given, user) ?? given);
}

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id "root".');
start(root).catch((error: unknown) => showStartFailure(root, error));
