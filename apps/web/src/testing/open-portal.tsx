import { getAttention } from '@keepwatch/contract/attention/attention';
import { getBackupClock } from '@keepwatch/contract/backup-days/backup-clock';
import type { Branding } from '@keepwatch/contract/branding/branding';
import { getProfile, type User } from '@keepwatch/contract/identity/sessions';
import { listNotifications } from '@keepwatch/contract/notifications/notifications';
import { getLastSync } from '@keepwatch/contract/sources/sources';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, onTestFinished } from 'vitest';
import { wizardPrompt } from '../entities/wizard-prompt.ts';
import { parseSearch } from '../kit/address/search-text.ts';
import { createColorSchemeManager } from '../kit/color-scheme.ts';
import type { Screen, ScreenCode } from '../kit/screen.ts';
import { createSessionStore, type SessionStore } from '../kit/session.ts';
import { loadBeforeDrawing } from '../program/load-before-drawing.ts';
import { createPortal } from '../program/portal.ts';
import { Providers } from '../program/providers.tsx';
import { createQueries } from '../program/queries.ts';
import { createPortalRouter, goToSignIn } from '../program/router.tsx';
import { screens as realScreens } from '../program/screens.ts';
import { type Answers, createAnswers } from './answers.ts';
import { buildBranding } from './builders.ts';

interface Visit {
  /** Address with query: `/monitoring/companies?search=a`. */
  path: string;
  /** The signed-in user; none by default. */
  user?: User;
  answers?: Answers;
  branding?: Branding;
  now?: Date;
  /** Code of which `prefetch` runs before anything is drawn, as it does where a visit begins (program/main.tsx). */
  first?: readonly Pick<ScreenCode, 'prefetch'>[];
  screens?: readonly Screen[];
  /** Whether the user is still to be prompted for a first organization and job. */
  isPrompted?: boolean;
}

/** The time of every test that sets no other. */
export const TEST_NOW = new Date('2026-03-15T12:00:00.000Z');

/**
 * Opens the real portal at an address, over a server that answers what the test set up. A request that was not set up
 * fails the test at its end. The shell's own calls have quiet answers.
 */
export function openPortal(visit: Visit) {
  return preparePortal(visit).draw();
}

/** The same as a browser does it: the screen is loaded before anything is drawn (program/load-before-drawing.ts). */
export async function loadPortal(visit: Visit) {
  const { router, draw } = preparePortal(visit);
  await loadBeforeDrawing(router);
  return draw();
}

/** All but the drawing. */
export function preparePortal(visit: Visit) {
  const answers = visit.answers ?? createAnswers();
  const session = createSessionStore(localStorage);
  addQuietAnswers(answers, session);
  if (visit.isPrompted !== true) wizardPrompt.dismiss();
  if (visit.user !== undefined) session.start({ token: 'token-of-the-test', user: visit.user });
  const queries = createQueries();
  const history = createMemoryHistory({ initialEntries: [visit.path] });
  const portal = createPortal({
    transport: { fetch: answers.fetch, origin: '', token: () => session.get()?.token ?? null },
    branding: visit.branding ?? buildBranding(),
    session,
    queries,
    clock: { now: () => visit.now ?? TEST_NOW },
    leave: (isExpired) => goToSignIn(router, isExpired),
    // A page would be loaded from the beginning.
    arrive: (address) => router.history.push(address),
  });
  const search = parseSearch(visit.path.split('?')[1] ?? '');
  for (const { prefetch } of visit.first ?? []) prefetch?.({ portal, queries, search });
  const { screens = realScreens } = visit;
  const router = createPortalRouter({ portal, history, screens });
  onTestFinished(portal.shortcuts.listen(window));
  onTestFinished(portal.connection.listen(window));
  onTestFinished(() => expect(answers.unexpected, 'requests that the test did not set up').toEqual([]));
  const draw = () => {
    const page = render(
      <Providers
        portal={portal}
        queries={queries}
        colorSchemeManager={createColorSchemeManager(localStorage)}
        defaultColorScheme="light"
      >
        <RouterProvider router={router} />
      </Providers>,
    );
    return { page, portal, router, answers, person: userEvent.setup(), address: () => history.location.href };
  };
  return { router, draw };
}

/** The shell around every screen makes these calls too; a test that is not about them need not set them up. */
function addQuietAnswers(answers: Answers, session: SessionStore): void {
  if (!answers.has(getBackupClock))
    answers.on(getBackupClock, () => ({ success: true as const, data: userOf(session).backupClock }));
  if (!answers.has(listNotifications)) answers.on(listNotifications, { success: true, data: [] });
  if (!answers.has(getAttention)) answers.on(getAttention, { success: true, data: {} });
  // The own account is as this browser knows it.
  if (!answers.has(getProfile)) answers.on(getProfile, () => ({ success: true as const, data: userOf(session) }));
  const lastSync = TEST_NOW.toISOString();
  if (!answers.has(getLastSync)) answers.on(getLastSync, { success: true, status: 'SUCCEEDED', lastSync, failed: [] });
}

function userOf(session: SessionStore): User {
  const user = session.get()?.user;
  if (user === undefined) throw new Error('No user is signed in.');
  return user;
}
