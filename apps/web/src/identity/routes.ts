import type { Screen } from '../kit/screen.ts';

export const identityScreens: readonly Screen[] = [
  { path: '/login', title: 'Log in', access: 'signed-out', load: () => import('./sign-in.screen.tsx') },
  { path: '/setup/$token', title: 'First account', access: 'signed-out', load: () => import('./setup.screen.tsx') },
  {
    path: '/monitoring/forbidden',
    title: 'No access',
    access: 'signed-in',
    load: () => import('./forbidden.screen.tsx'),
  },
];
