import { blankUser } from '@keepwatch/sandbox/microsoft365/directory/build-directory';
import { type RunningTenant, startTenant, type TenantAccess } from '@keepwatch/sandbox/microsoft365/server';

/** Beside the folders that every mailbox has; they are invented as they are read. */
const FOLDER = 'Projects';

/** Tenants of some mailboxes with some messages each, and nothing else: what they take to start and to answer is small. */
export async function startMailTenants(
  tenants: number,
  { mailboxes, messages, latencyMs }: { mailboxes: number; messages: number; latencyMs: number },
): Promise<RunningTenant> {
  const running = await startTenant({ size: 'empty', tenants, latencyMs });
  for (const { tenant } of running.all)
    for (let number = 0; number < mailboxes; number += 1) addMailbox(tenant, number, messages);
  return running;
}

/** Ids of those who have a mailbox. */
export function mailboxOwners({ tenant }: TenantAccess): string[] {
  return tenant.directory.users.filter(({ mailbox }) => mailbox !== null).map(({ id }) => id);
}

function addMailbox(tenant: TenantAccess['tenant'], number: number, messages: number): void {
  const id = crypto.randomUUID();
  const user = blankUser(tenant, id, `person${number}`, `Person ${number}`);
  tenant.directory.putUser({ ...user, mailbox: { purpose: 'user', timeZone: 'UTC', hasArchive: false } });
  const mailbox = tenant.mailboxes.of(id);
  const parent = mailbox.wellKnown('msgfolderroot').number;
  mailbox.addFolder({ displayName: FOLDER, folderClass: 'IPF.Note', parent }, messages);
}
