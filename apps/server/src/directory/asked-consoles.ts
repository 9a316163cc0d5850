import { ConnectorError } from '@keepwatch/connectors/base/connector-error';
import type { ConsoleAccount, ConsoleAccounts } from '@keepwatch/connectors/ports/console-accounts';
import { CONSOLE_KIND_TEXTS, type ConsoleKind } from '@keepwatch/contract/directory/console-kinds';
import type { ConnectionServices } from '../connections/connection-services.ts';
import type { StoredConnection } from '../connections/connections.ts';
import { consolesOf, openStoredConsole } from '../connections/consoles.ts';
import { conflict, notFound } from '../foundation/errors.ts';
import type { SignedInContext } from '../foundation/http/context.ts';

/** How long a user waits for a console. */
const LIMIT_MS = 20_000;

/** A connected console, opened. */
export interface OpenConsole {
  stored: StoredConnection;
  accounts: ConsoleAccounts;
}

/** An account, and the console that knows it. */
export interface FoundAccount {
  console: OpenConsole;
  account: ConsoleAccount;
}

/** Opens a console. @throws Refusal 409 for settings that cannot be, and for one without accounts of users */
export async function openConsole(services: ConnectionServices, stored: StoredConnection): Promise<OpenConsole> {
  try {
    const { accounts } = await openStoredConsole(services, stored);
    if (accounts !== undefined) return { stored, accounts };
  } catch (error) {
    throw refusalFor(stored, error);
  }
  throw conflict(`The console "${stored.name}" has no accounts of users.`);
}

/** Asks a console something. @throws Refusal 409 with the reason, where it does not answer or refuses */
export async function askConsole<R>(
  { outside }: SignedInContext,
  { stored, accounts }: OpenConsole,
  question: (accounts: ConsoleAccounts, signal: AbortSignal) => Promise<R>,
): Promise<R> {
  return outside(async (gone) => {
    const signal = AbortSignal.any([gone, AbortSignal.timeout(LIMIT_MS)]);
    try {
      return await question(accounts, signal);
    } catch (error) {
      gone.throwIfAborted();
      if (signal.aborted)
        throw conflict(
          `The console "${stored.name}" did not answer within ${LIMIT_MS / 1_000} seconds. Try again later.`,
        );
      throw refusalFor(stored, error);
    }
  });
}

/**
 * Finds an account in the connected consoles of a kind, by its id or its user name. @throws Refusal 404 if none knows it; 409 where none is
 * connected, or where one that may know it does not answer
 */
export async function findInConsoles(
  services: ConnectionServices,
  context: SignedInContext,
  kind: ConsoleKind,
  idOrName: string,
): Promise<FoundAccount> {
  const connected = await consolesOf(context.database, context.scope.providerId);
  const consoles = connected.filter((stored) => stored.kind === kind);
  if (consoles.length === 0) throw conflict(`No ${CONSOLE_KIND_TEXTS[kind]} is connected. Connect one first.`);
  let failure: unknown = null;
  for (const stored of consoles) {
    try {
      const console = await openConsole(services, stored);
      const account = await askConsole(context, console, (accounts, signal) => accounts.findAccount(idOrName, signal));
      if (account !== null) return { console, account };
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure ?? notFound('account');
}

function refusalFor({ name }: StoredConnection, error: unknown): unknown {
  return error instanceof ConnectorError ? conflict(`The console "${name}" says: ${error.message}.`) : error;
}
