import { Link } from '@tanstack/react-router';
import { Notice } from '../kit/states/notice.tsx';

/** The catch-all (specification "portal", part 2). */
export function NotFoundScreen() {
  return (
    <main>
      <Notice isPage title="404" text="The page you requested could not be found.">
        <Link to="/">Go to the start page</Link>
      </Notice>
    </main>
  );
}
