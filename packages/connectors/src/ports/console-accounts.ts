/**
 * `ConsoleAccounts`: the accounts that people have in a console, and how one of them gets in. What a console publishes differs: where it
 * hands no session over, its own page asks for the password.
 */
export interface ConsoleAccounts {
  /** Finds an account by its id or by its user name, in any case; `null` if the console has none. */
  findAccount(idOrName: string, signal: AbortSignal): Promise<ConsoleAccount | null>;
  /**
   * Has the console confirm that the account may sign in now, and says what to open. No token of the vendor's API is returned: the page either opens by a
   * single-use address of the console's, or asks for the password. Throws a `ConnectorError` for an account that the console refuses.
   */
  signOn(account: ConsoleAccount, signal: AbortSignal): Promise<SignOn>;
}

export interface ConsoleAccount {
  externalId: string;
  name: string;
  /** Of the company that it belongs to; `null`: it is an account of the provider, with which no user signs in here. */
  companyExternalId: string | null;
  isEnabled: boolean;
}

export interface SignOn {
  url: string;
  /** `false`: the page asks for the password of the account. */
  isSignedIn: boolean;
}
