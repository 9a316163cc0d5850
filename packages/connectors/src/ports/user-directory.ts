import type { Testable } from '../base/manifest.ts';

/** `UserDirectory`: accounts of people outside the portal, who sign in with the passwords that they have there. */
export interface UserDirectory extends Testable {
  /** Finds the account of a name and proves its password. @throws DirectoryRefusal that says why not; the same for a wrong name and a wrong password */
  signIn(username: string, password: string, isAllowed: AttemptCheck, signal: AbortSignal): Promise<DirectoryAccount>;
  /** Of these accounts those that may still sign in, as they are now. */
  current(accounts: readonly AccountKey[], signal: AbortSignal): Promise<DirectoryAccount[]>;
  /**
   * Proves the current password of an account and replaces it, also where the account has to do that before it can sign in. Gives whose it was, too:
   * an account has more than one name. @throws DirectoryRefusal
   */
  changePassword(
    whose: AccountKey | { username: string },
    current: string,
    next: string,
    isAllowed: AttemptCheck,
    signal: AbortSignal,
  ): Promise<AccountPassword>;
  /** Replaces a password, unlocks the account, and may demand another password at the next sign-in. @throws DirectoryRefusal */
  resetPassword(
    account: AccountKey,
    password: string,
    options: { mustChange: boolean },
    signal: AbortSignal,
  ): Promise<AccountPassword>;
  /** Ends a lock that wrong passwords led to. @throws DirectoryRefusal */
  unlock(account: AccountKey, signal: AbortSignal): Promise<void>;
}

/** The id of an account, which it keeps when it is renamed or moved, and no later account of its name gets. */
export interface AccountKey {
  id: string;
}

/** Whether a password may be tried at an account, asked once it was found, by whichever of its names. One that may not is refused as `locked`. */
export type AttemptCheck = (account: AccountKey) => Promise<boolean>;

/** When the password of an account was set; 1970: another one has to be chosen before the next sign-in, or the directory does not say. */
export interface AccountPassword extends AccountKey {
  passwordSetAt: Date;
}

/** An account as its directory has it. */
export interface DirectoryAccount extends AccountPassword {
  username: string;
  name: string;
  /** `null`: it has none. */
  email: string | null;
  /** The roles that its groups give, nested ones included, by the names in the settings. */
  roles: readonly string[];
}

/** Why a directory refused a person, as opposed to the portal's own account. */
export type RefusalReason =
  /** No such account, or another password. */
  | 'wrong-credentials'
  /** Locked by wrong passwords. Directories say so of any password. */
  | 'locked'
  /** The password is right, but has expired or was set by another person. */
  | 'must-change'
  | 'disabled'
  | 'account-expired'
  /** Not at this time, or not from here. */
  | 'not-now'
  /** A new password does not meet the rules of the directory. */
  | 'password-refused';

export class DirectoryRefusal extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, options: { cause?: unknown } = {}) {
    super(`The directory refused it: ${reason}.`, options);
    this.name = 'DirectoryRefusal';
    this.reason = reason;
  }
}
