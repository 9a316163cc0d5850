/** A person, an application or a group by id and name. */
export interface Identity {
  id: string;
  displayName: string;
}

/** Who did something, in the vendor's shape. */
export interface IdentitySet {
  user?: Identity;
  application?: Identity;
}

/** Who changes something, and when. */
export interface Edit {
  by: IdentitySet;
  /** Milliseconds; the vendor stores whole seconds. */
  atMs: number;
}

/** An instant as SharePoint writes it: whole seconds, UTC. */
export const instantOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** A user as files, sites and teams know one. */
export interface Person extends Identity {
  userPrincipalName: string;
  mail: string;
}

/** The part of the directory that files, sites and teams need. */
export interface People {
  /** By id, user principal name or mail address. */
  user(key: string): Person | undefined;
  users(): readonly Person[];
  /** A group of the directory by id. */
  group(id: string): Identity | undefined;
  /** Name of an application by its id. */
  applicationName(applicationId: string): string;
}
