import { ConnectorError } from '@keepwatch/connectors/base/connector-error';
import type { SourceCompany } from '@keepwatch/connectors/ports/backup-source';
import type { ConsoleCompany, listConsoleCompanies } from '@keepwatch/contract/companies/companies';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { companyIdsOf } from '../connections/company-links.ts';
import type { ConnectionServices } from '../connections/connection-services.ts';
import type { StoredConnection } from '../connections/connections.ts';
import { consolesOf, openStoredConsole } from '../connections/consoles.ts';
import { CONSOLE_PORT } from '../connections/managed-ports.ts';
import { findReportingCompanies } from '../directory/companies.ts';
import type { Connection } from '../foundation/database.ts';
import { invalid } from '../foundation/errors.ts';
import type { SignedInContext } from '../foundation/http/context.ts';
import type { Scope } from '../foundation/scope.ts';

/** Most companies that one console answers. */
const FOUND_MAX = 50;
/** Of one console, as a user waits for it. */
const LIMIT_MS = 20_000;

type Search = { name?: string | undefined; id?: string | undefined };
type Found = Omit<CallReply<typeof listConsoleCompanies>, 'success'>;

/**
 * Finds companies in all connected consoles at the same time, by a part of the name or by id, with the company that each is linked to.
 * A console that does not answer is named with the reason, and the others are still answered.
 */
export async function findConsoleCompanies(
  services: ConnectionServices,
  { database, scope, outside }: SignedInContext,
  search: Search,
): Promise<Found> {
  if (search.name === undefined && search.id === undefined)
    throw invalid([{ path: 'query.name', message: 'or an id is required' }]);
  const consoles = await consolesOf(database, scope.providerId);
  const answers = await outside((gone) =>
    Promise.all(
      consoles.map(async (console) => ({ console, ...(await searchConsole(services, console, search, gone)) })),
    ),
  );
  const failed = answers.flatMap(({ console, failure }) =>
    failure === null ? [] : [{ connectionName: console.name, message: failure }],
  );
  const data = answers.map(({ console, found }) => linked(database, scope, console, found));
  return { data: (await Promise.all(data)).flat(), failed };
}

/** The connector lists all companies, as vendors do not find them by name alike: the reading ends with the last that is answered. */
async function searchConsole(
  services: ConnectionServices,
  console: StoredConnection,
  search: Search,
  gone: AbortSignal,
): Promise<{ found: SourceCompany[]; failure: string | null }> {
  const signal = AbortSignal.any([gone, AbortSignal.timeout(LIMIT_MS)]);
  const found: SourceCompany[] = [];
  try {
    const source = await openStoredConsole(services, console);
    for await (const read of source.listCompanies(signal)) {
      if ('value' in read && isFound(read.value, search)) found.push(read.value);
      if (found.length === FOUND_MAX) break;
    }
    return { found, failure: null };
  } catch (error) {
    gone.throwIfAborted();
    if (error instanceof ConnectorError) return { found, failure: error.message };
    if (signal.aborted) return { found, failure: `It did not answer within ${LIMIT_MS / 1_000} seconds.` };
    services.log.error({ err: error, connectionId: console.id }, 'A console could not be searched.');
    return { found, failure: 'Internal error; see the server log.' };
  }
}

function isFound({ externalId, name }: SourceCompany, search: Search): boolean {
  if (search.id !== undefined && externalId.toLowerCase() !== search.id.toLowerCase()) return false;
  return name.toLowerCase().includes((search.name ?? '').toLowerCase());
}

async function linked(
  database: Connection,
  scope: Scope,
  console: StoredConnection,
  found: readonly SourceCompany[],
): Promise<ConsoleCompany[]> {
  const companyIds = await companyIdsOf(database, console);
  const ids = found.flatMap(({ externalId }) => companyIds.get(externalId) ?? []);
  const named =
    ids.length === 0 ? [] : (await findReportingCompanies(database, scope, { ids, limit: FOUND_MAX, offset: 0 })).data;
  return found.map(({ externalId, name, isActive }) => {
    const company = named.find(({ _id }) => _id === companyIds.get(externalId));
    return {
      connectionId: console.id,
      connectionName: console.name,
      isReporting: console.port === CONSOLE_PORT,
      externalId,
      name,
      isActive,
      company: company === undefined ? null : { _id: company._id, name: company.name },
    };
  });
}
