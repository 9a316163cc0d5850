import type { Ability } from '@keepwatch/contract/abilities';
import type { Branding } from '@keepwatch/contract/branding/branding';
import type { User } from '@keepwatch/contract/identity/sessions';
import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';
import type { Api } from './api.ts';
import type { Clock } from './clock.ts';
import type { Connection } from './live/connection.ts';
import type { LiveEvents } from './live/live-events.ts';
import type { Session, SessionStore } from './session.ts';
import type { ShortcutStore } from './shortcuts/shortcut-store.ts';
import type { ToastStore } from './toasts/toast-store.ts';
import type { UndoStack } from './undo-stack.ts';
import { userAllows } from './user-allows.ts';

/** What the program gives to everything on the page. Tests give the same with an in-memory server and a fixed clock. */
export interface Portal {
  api: Api;
  branding: Branding;
  clock: Clock;
  connection: Connection;
  live: LiveEvents;
  session: SessionStore;
  shortcuts: ShortcutStore;
  toasts: ToastStore;
  undo: UndoStack;
}

const PortalContext = createContext<Portal | null>(null);

export function PortalProvider({ portal, children }: { portal: Portal; children: ReactNode }) {
  return <PortalContext value={portal}>{children}</PortalContext>;
}

export function usePortal(): Portal {
  const portal = useContext(PortalContext);
  if (portal === null) throw new Error('A component that needs the portal was rendered outside PortalProvider.');
  return portal;
}

export const useApi = (): Api => usePortal().api;
export const useBranding = (): Branding => usePortal().branding;
export const useClock = (): Clock => usePortal().clock;
export const useToasts = (): ToastStore => usePortal().toasts;

/** Since when the server has not answered; `null` while it does. */
export function useLostAt(): Date | null {
  const { connection } = usePortal();
  return useSyncExternalStore(connection.subscribe, connection.lostAt);
}

/** The session, and a new render whenever it changes. */
export function useSession(): Session | null {
  const { session } = usePortal();
  return useSyncExternalStore(session.subscribe, session.get);
}

/** The signed-in user; only for screens behind the sign-in guard. */
export function useUser(): User {
  const session = useSession();
  if (session === null) throw new Error('A screen for signed-in users was rendered without a session.');
  return session.user;
}

/** Whether the signed-in user may. Without a session: no. */
export function useAllows(ability: Ability | readonly Ability[]): boolean {
  const session = useSession();
  return session !== null && userAllows(session.user, ability);
}
