import {
  adminChangePassword,
  adminForbidden,
  adminResetPassword,
  changePassword,
  forbidden,
  forgotPassword,
  o365ChangePassword,
  o365Forbidden,
  o365ResetPassword,
  resetPassword,
  setPassword,
  setup,
  signIn,
} from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

export const identityScreens: readonly Screen[] = [
  declareScreen(signIn, { title: 'Log in', load: () => import('./sign-in.screen.tsx') }),
  declareScreen(forgotPassword, { title: 'Forgot password', load: () => import('./forgot-password.screen.tsx') }),
  declareScreen(setPassword, { title: 'Choose a password', load: () => import('./set-password.screen.tsx') }),
  ...[changePassword, o365ChangePassword, adminChangePassword].map((place) =>
    declareScreen(place, { title: 'Change password', load: () => import('./change-password.screen.tsx') }),
  ),
  ...[resetPassword, o365ResetPassword, adminResetPassword].map((place) =>
    declareScreen(place, { title: 'Choose a new password', load: () => import('./change-password.screen.tsx') }),
  ),
  declareScreen(setup, { title: 'First account', load: () => import('./setup.screen.tsx') }),
  declareScreen(adminForbidden, { title: 'No access', load: () => import('./forbidden.screen.tsx') }),
  declareScreen(o365Forbidden, { title: 'No access', load: () => import('./forbidden.screen.tsx') }),
  declareScreen(forbidden, { title: 'No access', load: () => import('./forbidden.screen.tsx') }),
];
