import { runsInstallation } from '../branding/brands-within.ts';
import { forbidden } from '../foundation/errors.ts';
import type { SignedInContext } from '../foundation/http/context.ts';
import { wholeProvider } from '../foundation/whole-provider.ts';

/** Throws 403 for those who look after one provider: what is of the installation is of all. */
export function requireInstallation(context: SignedInContext): void {
  if (!runsInstallation(wholeProvider(context))) throw forbidden();
}
