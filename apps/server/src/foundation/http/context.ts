import { type Ability, allows, type Role } from '@keepwatch/contract/abilities';
import type { AuditAction } from '@keepwatch/contract/audit/actions';
import type { Pool } from '../database.ts';
import type { Queue } from '../queue.ts';
import type { Scope } from '../scope.ts';
import type { Cookies } from './cookies.ts';

/** Who asks. */
export interface Actor {
  userId: string;
  username: string;
  roles: readonly Role[];
  scope: Scope;
  /** By what the provider counts days, and from which day on that is done. */
  backupClock: { timeZone: string; beginHour: number; recountedFrom: string | null };
  /** Another person set the password: until the user has chosen a new one, nothing that takes an ability is done. */
  mustChangePassword: boolean;
  /** The provider requires a second factor: until the user has added one, nothing that takes an ability is done. */
  mustEnrol: boolean;
  /** Hash of the token of the session, so that it can end itself, or of the key. */
  sessionHash: Buffer;
  /** The administrator who acts as this user. */
  impersonator: Person | null;
  /** The API key with which a program of the user calls. */
  key: Key | null;
}

export interface Person {
  userId: string;
  username: string;
}

export interface Key {
  name: string;
  /** What the roles of the user grant is limited to these. */
  abilities: readonly string[];
}

/** Whether the caller has the ability, or one of several: by a role, and by the key if the call is made with one. */
export function may({ roles, key }: Pick<Actor, 'roles' | 'key'>, ability: Ability | readonly Ability[]): boolean {
  const asked: readonly Ability[] = typeof ability === 'string' ? [ability] : ability;
  return asked.some((one) => allows(roles, one) && (key === null || key.abilities.includes(one)));
}

/** A session, and when it ends unless it is used until then. */
export interface Session {
  actor: Actor;
  endsAt: Date;
}

/** What every handler may use. */
export interface Services {
  database: Pool;
  queue: Queue;
  now(): Date;
}

/** One request: the services, who asks and from where. */
export interface PublicContext extends Services {
  requestId: string;
  /** Address of the caller. */
  address: string;
  /** What the caller says of its own program. */
  userAgent: string | null;
  host: string;
  cookies: Cookies;
  /**
   * Waits for another system: meanwhile the request has no place among those that bound the database (decision 17). One wait at a time,
   * and never within a transaction. `work` gets the signal that is aborted when the caller goes away.
   */
  outside<T>(work: (gone: AbortSignal) => Promise<T>): Promise<T>;
  actor: Actor | null;
}

export interface SignedInContext extends PublicContext {
  actor: Actor;
  /** The same as `actor.scope`: what this request may reach. */
  scope: Scope;
}

/** Of a call whose declaration names what the audit log is to say. */
export interface Audited {
  audit: AuditAction;
}

/** The context of a change by a user. */
export type ChangingContext = SignedInContext & Audited;
