import type { User } from '@keepwatch/contract/identity/sessions';

/** Who is signed in, and the bearer token that proves it. */
export interface Session {
  token: string;
  user: User;
}

export const SESSION_KEY = 'keepwatch.session';

/** The session of this browser, shared by its tabs. `get` gives the same object until something changes. */
export interface SessionStore {
  get(): Session | null;
  start(session: Session): void;
  updateUser(user: User): void;
  end(): void;
  /** Calls back after every change, also one made in another tab. Gives back how to stop that. */
  subscribe(listener: () => void): () => void;
}

/** Stores the session in `storage`. Anything else found there (an older version's session, for example) is ignored. */
export function createSessionStore(storage: Storage): SessionStore {
  let session = read(storage);
  const listeners = new Set<() => void>();
  const change = (next: Session | null) => {
    session = next;
    if (next === null) storage.removeItem(SESSION_KEY);
    else storage.setItem(SESSION_KEY, JSON.stringify(next));
    for (const listener of listeners) listener();
  };
  const followOtherTabs = (event: StorageEvent) => {
    if (event.key !== null && event.key !== SESSION_KEY) return;
    session = read(storage);
    for (const listener of listeners) listener();
  };
  return {
    get: () => session,
    start: change,
    updateUser: (user) => session !== null && change({ token: session.token, user }),
    end: () => change(null),
    subscribe: (listener) => {
      if (listeners.size === 0) window.addEventListener('storage', followOtherTabs);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) window.removeEventListener('storage', followOtherTabs);
      };
    },
  };
}

function read(storage: Storage): Session | null {
  const text = storage.getItem(SESSION_KEY);
  if (text === null) return null;
  const stored = parseJson(text);
  return isSession(stored) ? stored : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Checks by hand, as it runs before anything is drawn. Every version writes its own format and ends the sessions of the one
 * before (program/version.ts), so a rough check is enough.
 */
function isSession(value: unknown): value is Session {
  if (!isRecord(value) || typeof value['token'] !== 'string') return false;
  const { user } = value;
  if (!isRecord(user) || !isRecord(user['theme']) || !isRecord(user['preferences']) || !Array.isArray(user['acl']))
    return false;
  return ['id', 'username', 'name', 'email'].every((field) => typeof user[field] === 'string');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
