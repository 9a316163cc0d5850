import {
  addConsoleAccount,
  listConsoleAccounts,
  removeConsoleAccount,
  signOn,
} from '@keepwatch/contract/directory/console-accounts';
import { change } from '../audit/change.ts';
import type { ConnectionServices } from '../connections/connection-services.ts';
import { findConnection } from '../connections/connections.ts';
import {
  findUserAccount,
  listUserAccounts,
  removeUserAccount,
  storeUserAccount,
} from '../connections/user-accounts.ts';
import { conflict, notFound } from '../foundation/errors.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { askConsole, findInConsoles, openConsole } from './asked-consoles.ts';
import { requireCompanyAccount } from './company-account.ts';
import { findListedUser, lockUser } from './user-changes.ts';

/** The calls about accounts of users in connected consoles, and the one with which users open a console. */
export function consoleAccountCalls(services: ConnectionServices): Route[] {
  return [
    answer(listConsoleAccounts, async ({ database, scope }, { params: { id } }) => {
      const user = await findListedUser(database, scope, id);
      if (user === null) throw notFound('user');
      return { data: await listUserAccounts(database, { providerId: scope.providerId, userId: user._id }) };
    }),

    answer(addConsoleAccount, async (context, { params: { id, accountId }, body: { provider } }) => {
      const { database, scope, actor } = context;
      if ((await findListedUser(database, scope, id)) === null) throw notFound('user');
      const { console, account } = await findInConsoles(services, context, provider, accountId);
      const { id: connectionId, name: connectionName } = console.stored;
      const data = { accountId: account.externalId, provider, name: account.name, connectionName };
      await change(context, { kind: 'user', id }, async (connection) => {
        const user = await lockUser(connection, actor, id);
        if (user === null) return null;
        await requireCompanyAccount(connection, scope, user.companies?.map(({ _id }) => _id) ?? null, console, account);
        const key = { providerId: scope.providerId, userId: user._id };
        const before = await findUserAccount(connection, key, provider);
        await storeUserAccount(connection, key, { ...data, connectionId });
        return { result: null, before: before === null ? undefined : shownOf(before), after: shownOf(data) };
      });
      return { data };
    }),

    answer(removeConsoleAccount, async (context, { params: { id, accountId } }) => {
      await change(context, { kind: 'user', id }, async (connection) => {
        const user = await lockUser(connection, context.actor, id);
        if (user === null) return null;
        const key = { providerId: context.scope.providerId, userId: user._id };
        const removed = (await listUserAccounts(connection, key)).find((account) => account.accountId === accountId);
        if (removed === undefined) throw notFound('account');
        await removeUserAccount(connection, key, accountId);
        return { result: null, before: shownOf(removed) };
      });
      return {};
    }),

    answer(signOn, async (context, { params: { provider } }) => {
      const { database, scope, actor } = context;
      const own = await findUserAccount(database, { providerId: scope.providerId, userId: actor.userId }, provider);
      const stored = own === null ? null : await findConnection(database, scope.providerId, own.connectionId);
      if (own === null || stored === null) throw notFound('account');
      const console = await openConsole(services, stored);
      const account = await askConsole(context, console, (accounts, signal) =>
        accounts.findAccount(own.accountId, signal),
      );
      if (account === null)
        throw conflict(
          `The console "${stored.name}" no longer has the account ${own.name}. Ask your administrator for another one.`,
        );
      if (!account.isEnabled)
        throw conflict(
          `The account ${account.name} is disabled in the console "${stored.name}". Have it enabled there first.`,
        );
      // What the user sees, and whose the account is, may have changed since the user was given it.
      await requireCompanyAccount(database, scope, scope.companyIds, console, account);
      const { url, isSignedIn } = await askConsole(context, console, (accounts, signal) =>
        accounts.signOn(account, signal),
      );
      const opened = { connectionName: stored.name, account: account.name };
      // The address may sign in: it is for the person alone.
      await change(context, { kind: 'user', id: actor.userId }, async () => ({ result: null, after: opened }));
      return { data: { ...opened, url, isSignedIn } };
    }),
  ];
}

/** What the audit log has of an account. */
function shownOf({ name, connectionName }: { name: string; connectionName: string }) {
  return { account: name, console: connectionName };
}
