import type { Branding } from '@keepwatch/contract/branding/branding';
import type { Transport } from '@keepwatch/contract/wire/client';
import type { QueryClient } from '@tanstack/react-query';
import { start } from '../entities/places.ts';
import { wizardPrompt } from '../entities/wizard-prompt.ts';
import { createApi } from '../kit/api.ts';
import { type Clock, systemClock } from '../kit/clock.ts';
import { watchConnection } from '../kit/live/connection.ts';
import { createLiveEvents } from '../kit/live/live-events.ts';
import type { Portal } from '../kit/portal.tsx';
import type { SessionStore } from '../kit/session.ts';
import { createShortcutStore } from '../kit/shortcuts/shortcut-store.ts';
import { createToastStore } from '../kit/toasts/toast-store.ts';
import { createUndoStack, type UndoStack } from '../kit/undo-stack.ts';

const SESSION_EXPIRED = 'Your session has expired. Please log in again to continue.';

interface Parts {
  transport: Transport;
  branding: Branding;
  session: SessionStore;
  queries: QueryClient;
  clock?: Clock;
  /** Goes to the sign-in page; with `isExpired` it returns to where the user was. */
  leave: (isExpired: boolean) => void;
  /** Opens an address again from the beginning, for another user. */
  arrive: (address: string) => void;
}

/** Puts together what the page runs on. */
export function createPortal({
  branding,
  session,
  queries,
  clock = systemClock,
  leave,
  arrive,
  ...parts
}: Parts): Portal {
  const { transport, connection } = watchConnection(parts.transport, clock);
  const toasts = createToastStore();
  const undo = createUndoStack();
  let isExpired = false;
  const onExpired = () => {
    const acting = session.get();
    if (acting?.own !== undefined) {
      session.exit();
      toasts.info(`You no longer act as ${acting.user.username}: that session has ended.`);
      return;
    }
    isExpired = true;
    session.end();
    isExpired = false;
    toasts.info(SESSION_EXPIRED);
  };
  const forget = () => {
    queries.clear();
    wizardPrompt.forget();
    undo.clear();
  };
  // However the session ends (log-out, expiry, another tab), or goes on as another user, nothing of it may be left on the page.
  let before = session.get();
  session.subscribe(() => {
    const [last, now] = [before, session.get()];
    before = now;
    if (last === null || last.user.id === now?.user.id) return;
    if (now === null && isExpired) forgetAnswers(queries, undo);
    else forget();
    if (now === null) leave(isExpired);
    else arrive(now.user.id === last.own?.user.id ? last.own.page : start.path);
  });
  return {
    api: createApi(transport, onExpired),
    branding,
    clock,
    connection,
    live: createLiveEvents(transport),
    session,
    shortcuts: createShortcutStore(),
    toasts,
    undo,
  };
}

/** Removes all cached answers. Unsaved text outlives an expired session, and returns only to the user who wrote it. */
function forgetAnswers(queries: QueryClient, undo: UndoStack): void {
  undo.clear();
  queries.removeQueries({ predicate: ({ meta }) => meta?.['outlivesExpiry'] !== true });
  queries.getMutationCache().clear();
}
