import type { Branding } from '@keepwatch/contract/branding/branding';
import type { Transport } from '@keepwatch/contract/wire/client';
import type { QueryClient } from '@tanstack/react-query';
import { wizardPrompt } from '../entities/wizard-prompt.ts';
import { createApi } from '../kit/api.ts';
import { type Clock, systemClock } from '../kit/clock.ts';
import { watchConnection } from '../kit/live/connection.ts';
import { createLiveEvents } from '../kit/live/live-events.ts';
import type { Portal } from '../kit/portal.tsx';
import type { SessionStore } from '../kit/session.ts';
import { createShortcutStore } from '../kit/shortcuts/shortcut-store.ts';
import { createToastStore } from '../kit/toasts/toast-store.ts';
import { createUndoStack } from '../kit/undo-stack.ts';

const SESSION_EXPIRED = 'Your session has expired. Please log in again to continue.';

interface Parts {
  transport: Transport;
  branding: Branding;
  session: SessionStore;
  queries: QueryClient;
  clock?: Clock;
  /** Goes to the sign-in page; with `isExpired` it returns to where the user was. */
  leave: (isExpired: boolean) => void;
}

/** Puts together what the page runs on. */
export function createPortal({ branding, session, queries, clock = systemClock, leave, ...parts }: Parts): Portal {
  const { transport, connection } = watchConnection(parts.transport, clock);
  const toasts = createToastStore();
  const undo = createUndoStack();
  let isExpired = false;
  const onExpired = () => {
    isExpired = true;
    session.end();
    isExpired = false;
    toasts.info(SESSION_EXPIRED);
  };
  // However the session ends (log-out, expiry, another tab), nothing of it may be left on the page.
  let wasSignedIn = session.get() !== null;
  session.subscribe(() => {
    const isSignedIn = session.get() !== null;
    if (wasSignedIn && !isSignedIn) {
      if (isExpired) forgetAnswers(queries);
      else {
        queries.clear();
        wizardPrompt.forget();
      }
      undo.clear();
      leave(isExpired);
    }
    wasSignedIn = isSignedIn;
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
function forgetAnswers(queries: QueryClient): void {
  queries.removeQueries({ predicate: ({ meta }) => meta?.['outlivesExpiry'] !== true });
  queries.getMutationCache().clear();
}
