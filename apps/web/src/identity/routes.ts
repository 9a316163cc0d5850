import {
  adminChangePassword,
  adminForbidden,
  adminProfile,
  adminResetPassword,
  adminSecurity,
  adminSecurityQuestions,
  changePassword,
  forbidden,
  forgotPassword,
  givePhone,
  o365ChangePassword,
  o365Forbidden,
  o365Profile,
  o365ResetPassword,
  o365Security,
  o365SecurityQuestions,
  profile,
  resetByQuestions,
  resetPassword,
  security,
  securityQuestions,
  setPassword,
  setup,
  signIn,
  signInReturn,
  signInRules,
  smsVerification,
  unlock,
} from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

const ownPassword = () => import('./change-password.screen.tsx');
const ownSecurity = () => import('./second-factors/security.screen.tsx');
const ownQuestions = () => import('./user-directory/security-questions.screen.tsx');
const noAccess = () => import('./forbidden.screen.tsx');

export const identityScreens: readonly Screen[] = [
  declareScreen(signIn, { title: 'Log in', load: () => import('./sign-in.screen.tsx') }),
  declareScreen(signInReturn, {
    title: 'Log in',
    load: () => import('./single-sign-on/sign-in-return.screen.tsx'),
  }),
  declareScreen(smsVerification, { title: 'Log in', load: () => import('./sign-in.screen.tsx') }),
  declareScreen(givePhone, { title: 'Your phone', load: () => import('./second-factors/phone.screen.tsx') }),
  declareScreen(forgotPassword, { title: 'Forgot password', load: () => import('./forgot-password.screen.tsx') }),
  declareScreen(resetByQuestions, {
    title: 'Forgot password',
    load: () => import('./user-directory/reset-password.screen.tsx'),
  }),
  declareScreen(unlock, { title: 'Unlock account', load: () => import('./user-directory/unlock.screen.tsx') }),
  declareScreen(setPassword, { title: 'Choose a password', load: () => import('./set-password.screen.tsx') }),
  declareScreen(signInRules, {
    title: 'Sign-in rules',
    entry: { icon: 'user-shield', key: 's' },
    load: () => import('./second-factors/sign-in-rules.screen.tsx'),
  }),
  ...[profile, o365Profile, adminProfile].map((place) =>
    declareScreen(place, {
      title: 'Profile',
      entry: { icon: 'user', group: 'Settings', key: 'q', isOwn: true },
      load: () => import('./profile.screen.tsx'),
    }),
  ),
  ...[changePassword, o365ChangePassword, adminChangePassword].map((place) =>
    declareScreen(place, {
      title: 'Change password',
      entry: { icon: 'key', group: 'Settings', key: 'x', isOwn: true },
      load: ownPassword,
    }),
  ),
  ...[resetPassword, o365ResetPassword, adminResetPassword].map((place) =>
    declareScreen(place, { title: 'Choose a new password', load: ownPassword }),
  ),
  ...[security, o365Security, adminSecurity].map((place) =>
    declareScreen(place, { title: 'Security', load: ownSecurity }),
  ),
  ...[securityQuestions, o365SecurityQuestions, adminSecurityQuestions].map((place) =>
    declareScreen(place, { title: 'Secret questions', load: ownQuestions }),
  ),
  declareScreen(setup, { title: 'First account', load: () => import('./setup.screen.tsx') }),
  ...[adminForbidden, o365Forbidden, forbidden].map((place) =>
    declareScreen(place, { title: 'No access', load: noAccess }),
  ),
];
