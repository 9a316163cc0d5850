import type { User } from '@keepwatch/contract/identity/sessions';

/** The provider that runs the installation. */
const OPERATOR_ID = 1;

/** Whether the user is one of those who run the installation, and not limited to companies. */
export function runsInstallation({ companyIds, serviceProviderId }: User): boolean {
  return companyIds === null && serviceProviderId === OPERATOR_ID;
}
