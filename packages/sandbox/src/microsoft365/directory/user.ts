/** A person or a shared mailbox of the directory. */
export interface User {
  id: string;
  /** Sign-in name, such as `ada.lovelace@contoso.onmicrosoft.com`. */
  userPrincipalName: string;
  mail: string | null;
  displayName: string;
  givenName: string | null;
  surname: string | null;
  jobTitle: string | null;
  department: string | null;
  officeLocation: string | null;
  accountEnabled: boolean;
  userType: 'Member' | 'Guest';
  usageLocation: string | null;
  preferredLanguage: string | null;
  createdMs: number;
  /** Ids of the products the user has a licence of. */
  skuIds: string[];
  /** `null` for who has no mailbox in the cloud. */
  mailbox: { purpose: 'user' | 'shared' | 'room'; timeZone: string; hasArchive: boolean } | null;
  /** Set while the user can still be restored. */
  deletedMs: number | null;
}
