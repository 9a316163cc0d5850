import { type BrowserContext, chromium } from '@playwright/test';
import * as places from '../../web/src/entities/places.ts';
import { expect } from '../portal/journey.ts';
import { LAYOUTS, type Layout, originOf } from '../portal/layouts.ts';
import { CATEGORIES, type Device, scoresOf } from '../portal/lighthouse.ts';
import { microsoft365 } from '../portal/microsoft365-portal.ts';
import { SESSION_KEY, sessionOf, storedSession } from '../portal/person.ts';
import { freePort } from '../portal/running-portal.ts';
import { shownScreens } from '../portal/screens.ts';
import { addressWith, test as base } from '../portal/things.ts';

const SCORE_MIN = 0.95;
const DEVICES: readonly Device[] = ['desktop', 'mobile'];

/** Pages that users are led to in the middle of signing in, with a session that opens nothing else. */
const FORCED: readonly string[] = [places.resetPassword, places.security, places.securityQuestions].map(
  ({ path }) => path,
);
const isOfSigningIn = (path: string, username: string | null) => username === null || FORCED.includes(path);
const PAGES = shownScreens().filter(({ path, username }) => isOfSigningIn(path, username));

interface Visit {
  layout: Layout;
  path: string;
  address: string;
  isSignedIn: boolean;
}

/** All pages as the first layout has them, and the sign-in of the others: what else differs between them the screens are tested for. */
const VISITS: readonly Visit[] = LAYOUTS.flatMap((layout) =>
  PAGES.filter(({ path }) => layout === LAYOUTS[0] || path === places.signIn.path).map(
    ({ path, way: [address = path], username }) => ({ layout, path, address, isSignedIn: username !== null }),
  ),
);

interface Debugged {
  context: BrowserContext;
  /** At which the browser answers debuggers. */
  port: number;
}

const test = base.extend<object, { debugged: Debugged }>({
  debugged: [
    async ({ launchOptions }, use) => {
      const port = await freePort();
      const args = [...(launchOptions.args ?? []), `--remote-debugging-port=${port}`];
      const context = await chromium.launchPersistentContext('', { ...launchOptions, args });
      await use({ context, port });
      await context.close();
    },
    { scope: 'worker' },
  ],
});

for (const { layout, path, address, isSignedIn } of VISITS) {
  for (const device of DEVICES) {
    test(`${path} in the layout ${layout} scores 95 or more on a ${device}`, async ({ debugged, things }, info) => {
      const origin = originOf(layout, microsoft365());
      await storeSession(debugged.context, origin, isSignedIn);
      const file = info.outputPath('report.json');
      const url = origin + addressWith(things, address);
      const { lacking, ...scores } = await scoresOf(url, { port: debugged.port, device, file });
      const numbers = CATEGORIES.map((name) => `${name} ${scores[name] * 100}`).join(', ');
      console.log(`${path} (${layout}, ${device}): ${numbers}; ${lacking.join(', ')}`);
      // Not a page to which the visit was led instead.
      expect(new URL(scores.url).pathname).toBe(path);
      for (const name of CATEGORIES) expect(scores[name], lacking.join('\n')).toBeGreaterThanOrEqual(SCORE_MIN);
    });
  }
}

async function storeSession(context: BrowserContext, origin: string, isSignedIn: boolean): Promise<void> {
  const value = isSignedIn ? storedSession(await sessionOf('admin', microsoft365())) : null;
  const page = await context.newPage();
  await page.goto(`${origin}/start.js`);
  await page.evaluate(
    ([key, session]) => (session === null ? localStorage.removeItem(key) : localStorage.setItem(key, session)),
    [SESSION_KEY, value] as const,
  );
  await page.close();
}
