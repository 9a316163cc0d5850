import { Attribute, Change } from 'ldapts';
import type { ConnectorContext } from '../base/connector-context.ts';
import { ConnectorError } from '../base/connector-error.ts';
import type { Manifest } from '../base/manifest.ts';
import {
  type AccountPassword,
  type AttemptCheck,
  type DirectoryAccount,
  DirectoryRefusal,
  type UserDirectory,
} from '../ports/user-directory.ts';
import { type FoundAccount, findById, findByName, rolesOf } from './accounts.ts';
import { atController, type DirectorySession } from './session.ts';
import { type DirectorySettings, readSettings, SETTINGS } from './settings.ts';

/** Microsoft Active Directory over LDAPS, and what speaks as it does: Samba. */
export const manifest: Manifest<UserDirectory> = {
  kind: 'ad',
  label: 'Active Directory',
  settings: SETTINGS,
  open: (given, context) => activeDirectory(readSettings(given), context),
};

function activeDirectory(settings: DirectorySettings, context: ConnectorContext): UserDirectory {
  const at = <T>(what: string, signal: AbortSignal, work: (session: DirectorySession) => Promise<T>) =>
    atController(settings, context, signal, what, work);
  const onAccount = (
    what: string,
    whose: Whose,
    signal: AbortSignal,
    changes: Change[],
    isAllowed: AttemptCheck = always,
  ): Promise<AccountPassword> =>
    at(what, signal, async (session) => {
      const account = await find(session, settings, whose);
      // No such name, or removed in the directory: the same to a person as a wrong name.
      if (account === null) throw new DirectoryRefusal('wrong-credentials');
      if (!(await isAllowed({ id: account.id }))) throw new DirectoryRefusal('locked');
      await session.client.modify(account.dn, changes);
      const { id, passwordSetAt } = (await findById(session, settings, account.id)) ?? account;
      return { id, passwordSetAt };
    });
  return {
    test: (signal) => at('The directory', signal, (session) => versionOf(session, settings)),
    signIn: (username, password, isAllowed, signal) =>
      at('The sign-in', signal, async (session) => {
        const found = await findByName(session, settings, username);
        const account = found !== null && (await isAllowed({ id: found.id })) ? found : null;
        // Asked of the directory for a name that does not exist, too, so that the answer takes as long.
        await session.prove(account?.dn ?? `CN=no such person,${settings.baseDn}`, password);
        if (account === null) throw new DirectoryRefusal(found === null ? 'wrong-credentials' : 'locked');
        return withRoles(account, await rolesOf(session, settings, account));
      }),
    current: (accounts, signal) =>
      at('The accounts', signal, async (session) => {
        const open: DirectoryAccount[] = [];
        for (const { id } of accounts) {
          const account = await findById(session, settings, id);
          if (account === null || account.closedAt <= context.now()) continue;
          open.push(withRoles(account, await rolesOf(session, settings, account)));
        }
        return open;
      }),
    changePassword: (whose, current, next, isAllowed, signal) => {
      const changes = [
        change('delete', 'unicodePwd', passwordValue(current)),
        change('add', 'unicodePwd', passwordValue(next)),
      ];
      return onAccount('The change of the password', whose, signal, changes, isAllowed);
    },
    resetPassword: (account, password, { mustChange }, signal) =>
      onAccount('The reset of the password', account, signal, [
        change('replace', 'unicodePwd', passwordValue(password)),
        change('replace', 'lockoutTime', '0'),
        ...(mustChange ? [change('replace', 'pwdLastSet', '0')] : []),
      ]),
    unlock: async (account, signal) => {
      await onAccount('The unlock', account, signal, [change('replace', 'lockoutTime', '0')]);
    },
  };
}

/** What needs no password counts as no guess of one. */
const always: AttemptCheck = () => Promise.resolve(true);

type Whose = Parameters<UserDirectory['changePassword']>[0];

function find(session: DirectorySession, settings: DirectorySettings, whose: Whose): Promise<FoundAccount | null> {
  return 'id' in whose ? findById(session, settings, whose.id) : findByName(session, settings, whose.username);
}

function withRoles({ dn: _, closedAt: __, ...account }: FoundAccount, roles: readonly string[]): DirectoryAccount {
  return { ...account, roles };
}

/** Reads the base entry: what answers there is a directory, and the account may read it. */
async function versionOf({ client, controller }: DirectorySession, { baseDn }: DirectorySettings) {
  const { searchEntries } = await client.search(baseDn, { scope: 'base', attributes: ['objectClass'] });
  if (searchEntries.length === 0)
    throw new ConnectorError('not-allowed', `Base DN: the account finds nothing at ${baseDn}.`);
  return { version: `at ${controller.url}` };
}

function change(operation: 'add' | 'delete' | 'replace', type: string, value: string | Buffer): Change {
  const modification =
    typeof value === 'string' ? new Attribute({ type, values: [value] }) : new Attribute({ type, values: [value] });
  return new Change({ operation, modification });
}

/** A password as unicodePwd takes it: in quotes, in UTF-16. */
function passwordValue(password: string): Buffer {
  return Buffer.from(`"${password}"`, 'utf16le');
}
