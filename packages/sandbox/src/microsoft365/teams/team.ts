import type { JsonObject } from '../wire/json.ts';
import type { Channel } from './channel.ts';

export interface InstalledApp {
  id: string;
  appId: string;
}

/** Settings of a team by the name of their group, as they go over the wire. */
export interface TeamSettings {
  memberSettings: JsonObject;
  guestSettings: JsonObject;
  messagingSettings: JsonObject;
  funSettings: JsonObject;
}

export interface Team {
  /** Of the group behind it. */
  id: string;
  createdMs: number;
  isArchived: boolean;
  /** Whether the team was made to import messages, and is not complete yet. */
  isMigrating: boolean;
  settings: TeamSettings;
  channels: Map<string, Channel>;
  installedApps: InstalledApp[];
}

export const usualSettings: TeamSettings = {
  memberSettings: {
    allowCreateUpdateChannels: true,
    allowCreatePrivateChannels: true,
    allowDeleteChannels: true,
    allowAddRemoveApps: true,
    allowCreateUpdateRemoveTabs: true,
    allowCreateUpdateRemoveConnectors: true,
  },
  guestSettings: { allowCreateUpdateChannels: false, allowDeleteChannels: false },
  messagingSettings: {
    allowUserEditMessages: true,
    allowUserDeleteMessages: true,
    allowOwnerDeleteMessages: true,
    allowTeamMentions: true,
    allowChannelMentions: true,
  },
  funSettings: {
    allowGiphy: true,
    giphyContentRating: 'moderate',
    allowStickersAndMemes: true,
    allowCustomMemes: true,
  },
};

/** An app of the store, as far as tabs and installations name it. */
export interface StoreApp {
  id: string;
  displayName: string;
}

/** Ids as Microsoft publishes them. */
export const storeApps: readonly StoreApp[] = [
  { id: 'com.microsoft.teamspace.tab.web', displayName: 'Website' },
  { id: 'com.microsoft.teamspace.tab.planner', displayName: 'Planner' },
  { id: 'com.microsoft.teamspace.tab.files.sharepoint', displayName: 'Document Library' },
  { id: '0d820ecd-def2-4297-adad-78056cde7c78', displayName: 'OneNote' },
  { id: '06805b9e-77e3-4b93-ac81-525eb87513b8', displayName: 'Wiki' },
];

export const appOf = (id: string): StoreApp => storeApps.find((app) => app.id === id) ?? { id, displayName: id };
