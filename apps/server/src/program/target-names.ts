import type { TargetNames } from '../audit/target-name.ts';
import { nameOfBrand } from '../branding/brands-within.ts';
import { nameOfConnection } from '../connections/connections.ts';
import { nameOfCompany } from '../directory/companies.ts';
import { nameOfUser } from '../directory/users.ts';
import { nameOfKey } from '../identity/api-keys.ts';
import { nameOfSession } from '../identity/own-sessions.ts';
import { nameOfPasskey } from '../identity/second-factors/passkeys.ts';
import { nameOfComputer } from '../inventory/computers.ts';
import { nameOfM365Job } from '../microsoft365/jobs/jobs.ts';
import { nameOfOrganization } from '../microsoft365/organizations/organizations.ts';
import { nameOfM365Repository } from '../microsoft365/repositories/repositories.ts';
import { nameOfNotification } from '../notifications/notifications.ts';
import { nameOfDownload } from '../restore/downloads/downloads.ts';
import { nameOfRestore } from '../restore/operations/operations.ts';
import { nameOfRestoreRole } from '../restore/roles/roles.ts';
import { nameOfRestoreSession } from '../restore/sessions/sessions.ts';
import { nameOfExecution } from '../runs/job-executions.ts';
import { nameOfJob } from '../runs/jobs.ts';
import { nameOfSource } from '../runs/source-horizon.ts';
import { nameOfSupportRequest } from '../support/support-requests.ts';
import { nameOfToken } from '../tool-reports/intake-tokens.ts';
import { nameOfHint } from '../watch/hints.ts';

/** How the users logs name what was changed. A new kind of `change` has a line here. */
export const TARGET_NAMES: TargetNames = {
  'api-key': nameOfKey,
  brand: nameOfBrand,
  company: nameOfCompany,
  computer: nameOfComputer,
  connection: nameOfConnection,
  hint: nameOfHint,
  'identity-provider': nameOfConnection,
  'intake-token': nameOfToken,
  job: nameOfJob,
  'job-execution': nameOfExecution,
  'm365-job': nameOfM365Job,
  'm365-repository': nameOfM365Repository,
  notification: nameOfNotification,
  organization: nameOfOrganization,
  passkey: nameOfPasskey,
  restore: nameOfRestore,
  'restore-download': nameOfDownload,
  'restore-role': nameOfRestoreRole,
  'restore-session': nameOfRestoreSession,
  session: nameOfSession,
  source: nameOfSource,
  'support-request': nameOfSupportRequest,
  user: nameOfUser,
};
