import { lazy, Suspense } from 'react';
import { start } from '../entities/places.ts';
import { useSession } from '../kit/portal.tsx';
import { ScreenLink } from '../kit/screen-link.tsx';
import { Notice } from '../kit/states/notice.tsx';

const Shell = lazy(() => import('../shell/shell.tsx').then((code) => ({ default: code.Shell })));

/** The catch-all (specification "portal", part 2). Who is signed in keeps the ways to everything else. */
export function NotFoundScreen() {
  const isSignedIn = useSession() !== null;
  if (!isSignedIn)
    return (
      <main>
        <NotFound isPage />
      </main>
    );
  return (
    <Suspense fallback={null}>
      <Shell>
        <NotFound />
      </Shell>
    </Suspense>
  );
}

function NotFound({ isPage = false }: { isPage?: boolean }) {
  return (
    <Notice isPage={isPage} title="404" text="The page you requested could not be found.">
      <ScreenLink to={start.at()}>Go to the start page</ScreenLink>
    </Notice>
  );
}
