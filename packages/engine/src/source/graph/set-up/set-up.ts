/** What connects a tenant: the sign-in of an administrator, and applications with their certificates and permissions. */
export {
  type Administrator,
  beginSignIn,
  lookAtSignIn,
  openAsAdministrator,
  type SignInLook,
  type SignInPlace,
} from './administrator.ts';
export {
  addCertificate,
  configureApplication,
  createApplication,
  removeApplication,
  removeCertificate,
} from './application.ts';
export { factsOf, type MadeCertificate, makeCertificate } from './certificate.ts';
export {
  type ApplicationCheck,
  awaitApplication,
  checkApplication,
  type MissingPermission,
} from './check-application.ts';
export type { Purpose } from './roles.ts';
