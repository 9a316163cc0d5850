import type { Conversation } from '../chats/conversation.ts';
import type { Drive } from '../drives/drive.ts';

export interface Tab {
  id: string;
  displayName: string;
  appId: string;
  configuration: {
    entityId: string | null;
    contentUrl: string | null;
    websiteUrl: string | null;
    removeUrl: string | null;
  };
}

export interface Channel {
  /** Such as `19:…@thread.tacv2`. */
  id: string;
  displayName: string;
  description: string | null;
  membershipType: 'standard' | 'private' | 'shared';
  createdMs: number;
  isFavoriteByDefault: boolean;
  isArchived: boolean;
  email: string;
  /** Set once messages were imported; the application that imports is alone in its right to. */
  migration: { mode: 'inProgress' | 'completed'; applicationId: string } | undefined;
  /** Roles by user id; of standard channels the members are the team's. */
  members: Map<string, string[]> | undefined;
  tabs: Tab[];
  conversation: Conversation;
  /** The library the channel's folder is in. */
  drive: () => Drive;
}
