import type { User } from '@keepwatch/contract/identity/sessions';

/** Who is signed in, and the bearer token that proves it. */
export interface Session {
  token: string;
  user: User;
  /** Of an administrator who acts as the user: the own session, and where that was. */
  own?: { token: string; user: User; page: string };
}

export const SESSION_KEY = 'keepwatch.session';
/** On which consoles the user has clicked: forgotten with the session. */
export const SIGN_ON_CLICKS_KEY = 'keepwatch.sign-on-clicks';

/** The session of this browser, shared by its tabs. `get` gives the same object until something changes. */
export interface SessionStore {
  get(): Session | null;
  start(session: Session): void;
  updateUser(user: User): void;
  /** Goes on as another user; `page` is the address to come back to. */
  impersonate(session: Session, page: string): void;
  /** Goes on with the own session. */
  exit(): void;
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
    if (next === null) for (const key of [SESSION_KEY, SIGN_ON_CLICKS_KEY]) storage.removeItem(key);
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
    // A late reply may be of the user before.
    updateUser: (user) => session?.user.id === user.id && change({ ...session, user }),
    impersonate: ({ token, user }, page) =>
      session !== null && change({ token, user, own: { token: session.token, user: session.user, page } }),
    exit: () => session?.own !== undefined && change({ token: session.own.token, user: session.own.user }),
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
  const { user, own } = value;
  if (own !== undefined && !(isSession(own) && 'page' in own && typeof own.page === 'string')) return false;
  if (
    !isRecord(user) ||
    !isRecord(user['backupClock']) ||
    !isRecord(user['theme']) ||
    !isRecord(user['preferences']) ||
    !Array.isArray(user['acl'])
  )
    return false;
  return ['id', 'username', 'name', 'email'].every((field) => typeof user[field] === 'string');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
