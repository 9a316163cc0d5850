import type { ConsoleAccount } from '@keepwatch/connectors/ports/console-accounts';
import { companyIdsOf } from '../connections/company-links.ts';
import type { Connection } from '../foundation/database.ts';
import { conflict, Refusal } from '../foundation/errors.ts';
import type { Scope } from '../foundation/scope.ts';
import type { OpenConsole } from './asked-consoles.ts';
import { findReportingCompanies } from './companies.ts';

/**
 * Requires that an account of a console belongs to a company that the caller (`scope`) and the user (`companyIds`, `null`: all) see. With an
 * account of the provider a user could do in the console what the portal does not allow.
 * @throws Refusal 403, or 409 for a company of the console that is linked to none of the portal
 */
export async function requireCompanyAccount(
  connection: Connection,
  scope: Scope,
  companyIds: readonly string[] | null,
  { stored }: Pick<OpenConsole, 'stored'>,
  { name, companyExternalId }: ConsoleAccount,
): Promise<void> {
  if (companyExternalId === null)
    throw refused(`${name} is an account of the provider in the console "${stored.name}". Choose one of a company.`);
  const companyId = (await companyIdsOf(connection, stored)).get(companyExternalId) ?? null;
  if (companyId === null)
    throw conflict(
      `The company of ${name} in the console "${stored.name}" is linked to no company here. Link it first.`,
    );
  const seen = await findReportingCompanies(connection, scope, { ids: [companyId], limit: 1, offset: 0 });
  if (seen.count === 0 || !(companyIds?.includes(companyId) ?? true))
    throw refused(
      `${name} is an account of a company that the user does not see. Choose one of a company of the user's.`,
    );
}

const refused = (message: string) => new Refusal(403, 'FORBIDDEN', message);
