import { z } from 'zod';
import { ConnectorError } from '../base/connector-error.ts';
import type { ConsoleAccount, ConsoleAccounts, SignOn } from '../ports/console-accounts.ts';
import type { VspcClient } from './client.ts';
import { uid } from './fields.ts';

/** User, as far as it is read. */
const users = z.object({
  data: z.array(
    z.object({
      instanceUid: uid,
      organizationUid: uid,
      userName: z.string().min(1),
      role: z.string(),
      status: z.string(),
    }),
  ),
});
/** OrganizationLoginUrlAndSuggestion. */
const loginUrls = z.object({
  data: z.object({ loginUrl: z.string().nullish(), loginUrlSuggestion: z.string().nullish() }),
});

/**
 * The accounts of one console. It hands no session over to a browser in what its maker publishes, so the grant `as` only proves that the
 * account may sign in, and its token is dropped at once.
 */
export function consoleAccounts(client: VspcClient): ConsoleAccounts {
  return {
    findAccount: (idOrName, signal) => findAccount(client, idOrName, signal),
    signOn: (account, signal) => signOn(client, account, signal),
  };
}

async function findAccount(client: VspcClient, idOrName: string, signal: AbortSignal): Promise<ConsoleAccount | null> {
  const isId = uid.safeParse(idOrName).success;
  const property = isId ? 'instanceUid' : 'userName';
  const value = isId ? idOrName.toLowerCase() : idOrName;
  const filter = JSON.stringify([{ property, operation: 'equals', collation: 'ignorecase', value }]);
  const reply = users.safeParse(await client.read('users', { filter, limit: '2', offset: '0' }, signal));
  if (!reply.success) throw notUnderstood('users');
  // A console that does not know the filter would answer any users.
  const found = reply.data.data.find((user) => user[property].toLowerCase() === value.toLowerCase());
  if (found === undefined) return null;
  return {
    externalId: found.instanceUid,
    name: found.userName,
    companyExternalId: found.role.startsWith('Company') ? found.organizationUid : null,
    isEnabled: found.status === 'Enabled',
  };
}

async function signOn(client: VspcClient, account: ConsoleAccount, signal: AbortSignal): Promise<SignOn> {
  if (account.companyExternalId === null)
    throw new ConnectorError('not-allowed', `${account.name} is an account of the provider, not of a company`);
  await client.proveUser(account.externalId, signal);
  const path = `organizations/${account.companyExternalId}/configuration/loginUrl`;
  const reply = loginUrls.safeParse(await client.read(path, {}, signal));
  if (!reply.success) throw notUnderstood(path);
  const { loginUrl, loginUrlSuggestion } = reply.data.data;
  return { url: pageOf(loginUrl || loginUrlSuggestion || client.address), isSignedIn: false };
}

/** Only what a browser opens as a page: an address of a console is a text that its administrators have entered there. */
function pageOf(text: string): string {
  const url = URL.parse(text);
  if (url !== null && ['https:', 'http:'].includes(url.protocol) && url.username === '') return url.href;
  throw new ConnectorError(
    'bad-reply',
    'The console names a page that is no web address; correct its portal URL there',
  );
}

function notUnderstood(path: string): ConnectorError {
  return new ConnectorError('bad-reply', `The console's ${path} is not as its maker describes it`);
}
