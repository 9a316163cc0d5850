import { z } from 'zod';
import { ConnectorError } from '../base/connector-error.ts';
import type { Manifest } from '../base/manifest.ts';
import type { Read, SourceCompany } from '../ports/backup-source.ts';
import type { ConsoleAccount, SignOn } from '../ports/console-accounts.ts';
import type { TenantConsole } from '../ports/tenant-console.ts';
import { openZertoClient, type ZertoClient } from './client.ts';
import { parseZertoSettings, ZERTO_SETTINGS } from './settings.ts';

/** The appliance of Zerto 10 and newer, over its REST API. */
export const manifest: Manifest<TenantConsole> = {
  kind: 'zerto',
  label: 'Zerto Virtual Manager',
  settings: ZERTO_SETTINGS,
  open: (settings, context) =>
    tenantConsole(openZertoClient(parseZertoSettings(settings, context.allowPrivateAddresses), context)),
};

function tenantConsole(client: ZertoClient): TenantConsole {
  return {
    test: async (signal) => {
      // A client that may not read organizations is of no use here.
      await readOrganizations(client, signal);
      const site = localSite.safeParse(lowered(await client.call('localsite', null, signal)));
      return { version: site.data?.version ?? '(unknown version)' };
    },
    async *listCompanies(signal) {
      yield* await readOrganizations(client, signal);
    },
    accounts: {
      findAccount: (idOrName, signal) => findAccount(client, idOrName, signal),
      signOn: (account, signal) => signOn(client, account, signal),
    },
  };
}

const localSite = z.object({ version: z.string().min(1) });
/** ZorgApi; names are compared in lower case, as servers write them in both. */
const organization = z.object({ zorgname: z.string().min(1), link: z.object({ identifier: z.string().min(1) }) });
/** ZsspSessionDetailsApi, as far as it is read. */
const session = z.object({ zsspsessionidentifier: z.string(), url: z.string().min(1) });

async function readOrganizations(client: ZertoClient, signal: AbortSignal): Promise<Read<SourceCompany>[]> {
  const read = z.array(z.unknown()).safeParse(await client.call('zorgs', null, signal));
  if (!read.success) throw notUnderstood('zorgs');
  return read.data.map((raw) => {
    const { data, error } = organization.safeParse(lowered(raw));
    if (data === undefined)
      return {
        failed: { entity: 'company', externalId: null, reason: error === undefined ? '' : z.prettifyError(error) },
      };
    return {
      value: { externalId: data.link.identifier, name: data.zorgname, isActive: true, email: null, phone: null },
    };
  });
}

/** Zerto has no accounts of people there: who opens the Self-Service Portal does so as the organization. */
async function findAccount(client: ZertoClient, idOrName: string, signal: AbortSignal): Promise<ConsoleAccount | null> {
  const given = idOrName.toLowerCase();
  for (const read of await readOrganizations(client, signal)) {
    if (!('value' in read)) continue;
    const { externalId, name } = read.value;
    if (externalId.toLowerCase() === given || name.toLowerCase() === given)
      return { externalId, name, companyExternalId: externalId, isEnabled: true };
  }
  return null;
}

/** The appliance makes a session of the Self-Service Portal, whose address opens it once. */
async function signOn(client: ZertoClient, { externalId }: ConsoleAccount, signal: AbortSignal): Promise<SignOn> {
  const body = { zorgIdentifier: externalId, zsspAddress: client.portal.href };
  const id = z
    .string()
    .min(1)
    .safeParse(await client.call('zsspsessions', body, signal));
  if (!id.success) throw notUnderstood('zsspsessions');
  // Found among all: asked for by its id, it would be in the address of a request, which is logged.
  const read = z.array(z.unknown()).safeParse(await client.call('zsspsessions', null, signal));
  const own = read.data
    ?.flatMap((raw) => session.safeParse(lowered(raw)).data ?? [])
    .find((one) => one.zsspsessionidentifier === id.data);
  const url = URL.parse(own?.url ?? '');
  if (url === null || url.host !== client.portal.host || url.protocol !== client.portal.protocol)
    throw new ConnectorError(
      'bad-reply',
      'Zerto names a page that is not on the Self-Service Portal of the settings; correct its address',
    );
  return { url: url.href, isSignedIn: true };
}

/** The same with the names of its properties in lower case. */
function lowered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.toLowerCase(), lowered(inner)]));
}

function notUnderstood(path: string): ConnectorError {
  return new ConnectorError('bad-reply', `Zerto's ${path} is not as its maker describes it`);
}
