import type { Identity, IdentitySet } from './identity-set.ts';

/** Who has a permission: a person, a group of the directory, or a group of the site. */
export interface Grantee extends Identity {
  kind: 'user' | 'group' | 'siteGroup';
  loginName?: string;
}

export interface SharingLink {
  /** `view`, `edit` or `embed`. */
  type: string;
  /** `anonymous`, `organization` or `users`. */
  scope: string;
  webUrl: string;
  preventsDownload: boolean;
}

/** A permission set on an item itself; what an item inherits is found at its ancestors. */
export interface Permission {
  id: string;
  /** `read`, `write`, `owner`. */
  roles: string[];
  grantedTo?: Grantee;
  link?: SharingLink;
  /** Recipients of a link of scope `users`. */
  recipients: Grantee[];
  invitation?: { email: string; invitedBy: IdentitySet; signInRequired: boolean };
  expirationDateTime?: string;
  hasPassword: boolean;
}
