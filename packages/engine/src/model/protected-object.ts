/**
 * What is backed up as a whole: it has its own cursors, its own revisions and one worker at a time.
 *
 * - `mailbox`: folders, messages, events, contacts and tasks of a person or a shared mailbox, or the conversations of a group; id: the user's or group's
 * - `archive`: the in-place archive of a mailbox; id: the user's
 * - `drive`: a OneDrive, or a document library of a site; id: the drive's
 * - `site`: lists, columns, items, pages of one site (its libraries are drives of their own); id: the site's
 * - `team`: channels, posts, replies, tabs (its files are drives); id: the group's
 * - `chats`: the chats of a person; id: the user's
 * - `planner`: the plans of a group with buckets and tasks; id: the group's
 */
export const OBJECT_KINDS = ['mailbox', 'archive', 'drive', 'site', 'team', 'chats', 'planner'] as const;

export type ObjectKind = (typeof OBJECT_KINDS)[number];

export interface ProtectedObject {
  /** Id of the Microsoft 365 tenant. */
  organizationId: string;
  kind: ObjectKind;
  id: string;
  /** Shown to people: a display name, an address or a title. */
  name: string;
  /** What it hangs on, so that a site finds its libraries and a team its files: `site/<id>`, `team/<id>`, `user/<id>`; `group/<id>` of a group's mailbox and plans; else `null`. */
  owner: string | null;
  /** Address of the user or site: `ada@contoso.example`, `https://contoso.example/sites/a`; `null` where it has none. */
  address: string | null;
}
