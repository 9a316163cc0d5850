export type GroupKind = 'microsoft365' | 'security' | 'mail-security' | 'distribution';

/** A group of the directory; a team is a Microsoft 365 group with a team behind it. */
export interface Group {
  id: string;
  kind: GroupKind;
  displayName: string;
  description: string | null;
  mail: string | null;
  mailNickname: string;
  visibility: 'Public' | 'Private' | null;
  hasTeam: boolean;
  createdMs: number;
  /** Ids of users and groups. */
  memberIds: string[];
  /** Ids of users. */
  ownerIds: string[];
  deletedMs: number | null;
}
