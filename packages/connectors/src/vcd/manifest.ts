import { z } from 'zod';
import { ConnectorError } from '../base/connector-error.ts';
import type { Manifest } from '../base/manifest.ts';
import type { Read, SourceCompany } from '../ports/backup-source.ts';
import type { ConsoleAccount } from '../ports/console-accounts.ts';
import type { TenantConsole } from '../ports/tenant-console.ts';
import { openVcdClient, type VcdClient } from './client.ts';
import { parseVcdSettings, VCD_SETTINGS } from './settings.ts';

/** VMware Cloud Director, over its REST API 37.2. */
export const manifest: Manifest<TenantConsole> = {
  kind: 'vcd',
  label: 'VMware Cloud Director',
  settings: VCD_SETTINGS,
  open: (settings, context) =>
    tenantConsole(openVcdClient(parseVcdSettings(settings, context.allowPrivateAddresses), context)),
};

function tenantConsole(client: VcdClient): TenantConsole {
  return {
    test: async (signal) => {
      await readOrgs(client, 1, signal);
      return { version: '(REST API 37.2)' };
    },
    listCompanies: (signal) => listCompanies(client, signal),
    accounts: {
      findAccount: (id, signal) => findAccount(client, id, signal),
      // Its API has no way to open the pages of an organization signed in.
      signOn: async ({ name }) => ({ url: tenantPage(client, name), isSignedIn: false }),
    },
  };
}

const PAGE_SIZE = 128;
/** 128,000 organizations: more than any server has. Ends a server that always says there is more. */
const PAGES_MAX = 1_000;
/** The provider's own organization. */
const SYSTEM = 'System';

/** Orgs, each read separately. */
const orgs = z.object({ pageCount: z.int().min(0), values: z.array(z.unknown()) });
const org = z.object({
  id: z.string().min(1),
  name: z.string(),
  displayName: z.string().min(1),
  isEnabled: z.boolean().nullish(),
});

async function readOrgs(client: VcdClient, page: number, signal: AbortSignal) {
  const query = { page: String(page), pageSize: String(PAGE_SIZE), sortAsc: 'name' };
  const read = orgs.safeParse(await client.read('1.0.0/orgs', query, signal));
  if (!read.success)
    throw new ConnectorError('bad-reply', 'The list of organizations is not as its maker describes it');
  return read.data;
}

async function* listCompanies(client: VcdClient, signal: AbortSignal): AsyncIterable<Read<SourceCompany>> {
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const { pageCount, values } = await readOrgs(client, page, signal);
    for (const raw of values) {
      const read = org.safeParse(raw);
      if (!read.success) yield { failed: { entity: 'company', externalId: null, reason: z.prettifyError(read.error) } };
      else if (read.data.name !== SYSTEM) yield { value: companyOf(read.data) };
    }
    if (page >= pageCount) return;
  }
}

function companyOf({ id, displayName, isEnabled }: z.infer<typeof org>): SourceCompany {
  return { externalId: id, name: displayName, isActive: isEnabled ?? true, email: null, phone: null };
}

/** VcdUser, as far as it is read. */
const user = z.object({
  id: z.string().min(1),
  username: z.string().min(1),
  enabled: z.boolean().nullish(),
  orgEntityRef: z.object({ id: z.string().min(1), name: z.string().min(1) }),
});

/** By its id alone: the names of users are those of an organization, and several have the same. */
async function findAccount(client: VcdClient, id: string, signal: AbortSignal): Promise<ConsoleAccount | null> {
  if (!/^urn:vcloud:user:[\w-]{1,60}$/.test(id)) return null;
  const read = user.safeParse(await readUser(client, id, signal));
  if (!read.success) return null;
  const { username, enabled, orgEntityRef } = read.data;
  return {
    externalId: read.data.id,
    name: `${username}@${orgEntityRef.name}`,
    companyExternalId: orgEntityRef.name === SYSTEM ? null : orgEntityRef.id,
    isEnabled: enabled ?? true,
  };
}

async function readUser(client: VcdClient, id: string, signal: AbortSignal): Promise<unknown> {
  try {
    return await client.read(`1.0.0/users/${id}`, {}, signal);
  } catch (error) {
    // 403 is how the server says that there is none.
    if (error instanceof ConnectorError && error.kind === 'not-allowed') return null;
    throw error;
  }
}

/** Where the people of an organization sign in; an account is named `name@organization`. */
function tenantPage(client: VcdClient, account: string): string {
  return new URL(`tenant/${encodeURIComponent(account.slice(account.lastIndexOf('@') + 1))}/`, client.origin).href;
}
