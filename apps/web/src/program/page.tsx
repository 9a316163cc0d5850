import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useBranding } from '../kit/portal.tsx';
import { ToastList } from '../kit/toasts/toast-list.tsx';

/** Around every screen: the document's title, and the messages. */
export function Page() {
  const branding = useBranding();
  const title = useRouterState({ select: (state) => state.matches.at(-1)?.staticData.title });
  useEffect(() => {
    const brand = branding.title === '' ? 'Portal' : branding.title;
    document.title = title === undefined ? brand : `${title} · ${brand}`;
  }, [branding.title, title]);
  return (
    <>
      <Outlet />
      <ToastList />
    </>
  );
}
