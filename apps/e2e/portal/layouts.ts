import type { Branding } from '@keepwatch/contract/branding/branding';
import type { Browser, Page } from '@playwright/test';
import type { ColorScheme } from './barriers.ts';
import { expect } from './journey.ts';
import { PROMPT_KEY, SESSION_KEY, sessionOf, storedSession } from './person.ts';
import type { ShownScreen } from './screens.ts';
import { addressWith, type Things } from './things.ts';

/** What is in the place of something that is being loaded. */
const WAITING = '[aria-busy="true"], [data-part="skeleton"]';

/** The layouts by the host names of the demonstration. */
const HOSTS = {
  keepwatch: 'localhost',
  vmo: 'vmo.localhost',
  'hunter-tech': 'hunter-tech.localhost',
  'different-dev': 'different-dev.localhost',
  managecast: 'managecast.localhost',
} satisfies Record<Branding['layout'], string>;
export type Layout = keyof typeof HOSTS;
export const LAYOUTS = Object.keys(HOSTS) as Layout[];

export function originOf(layout: Layout, portal: string): string {
  return portal.replace('localhost', HOSTS[layout]);
}

/** The colours and the width of a window. */
export interface Look {
  colorScheme: ColorScheme;
  width: 390 | 1440;
}

/** A page in a layout, used for one screen after the other: a browser that has the program already shows a screen in a third of the time. */
export interface LayoutPage {
  page: Page;
  /** Gives the window its colours and its width; a narrow one is a phone, which is used with a finger. */
  look(look: Look): Promise<void>;
  /** Opens a screen as the one who sees it. */
  show(screen: ShownScreen, things: Things): Promise<void>;
  /** Errors of the program and of its console since the last question. */
  errors(): string[];
}

/** @param portal where the sessions are opened: the first provider of the demonstration has data, and its users see it under every host name */
export async function openLayout(
  browser: Browser,
  { layout, portal }: { layout: Layout; portal: string },
): Promise<LayoutPage> {
  const page = await browser.newPage({ reducedMotion: 'reduce' });
  const client = await page.context().newCDPSession(page);
  const origin = originOf(layout, portal);
  const errors = errorsOf(page);
  await page.goto(`${origin}/start.js`);
  return {
    page,
    async look({ colorScheme, width }) {
      const isPhone = width === 390;
      await page.setViewportSize({ width, height: isPhone ? 844 : 900 });
      await client.send('Emulation.setTouchEmulationEnabled', { enabled: isPhone });
      await page.emulateMedia({ colorScheme });
    },
    async show({ path, way, username }, things) {
      await changeUser(page, username === null ? null : storedSession(await sessionOf(username, portal)));
      for (const step of way) await go(page, step.startsWith('/') ? origin + addressWith(things, step) : step);
      await expect(page.locator('html')).toHaveAttribute('data-brand', layout);
      // Not a page to which the user was led instead.
      await expect(page).toHaveURL((url) => url.pathname === addressWith(things, path));
    },
    errors: () => errors.splice(0),
  };
}

/** As if the page was opened for the first time: what a screen before has stored is forgotten. */
async function changeUser(page: Page, session: string | null): Promise<void> {
  await page.evaluate(
    ({ key, value, dismissed }) => {
      localStorage.clear();
      sessionStorage.clear();
      sessionStorage.setItem(dismissed, 'true');
      if (value !== null) localStorage.setItem(key, value);
    },
    { key: SESSION_KEY, value: session, dismissed: PROMPT_KEY },
  );
}

/** Opens an address, or presses the button that leads to the next step. */
async function go(page: Page, step: string): Promise<void> {
  if (step.includes('://')) await page.goto(step);
  else {
    const place = page.getByText(/^Step \d+ of \d+$/);
    const before = (await place.textContent()) ?? '';
    await page.getByRole('button', { name: step, exact: true }).click();
    await expect(place).not.toHaveText(before);
  }
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator(WAITING)).toHaveCount(0);
}

/** Waits until a page that is open has what its window was given. */
export async function settle(page: Page, { colorScheme }: Look): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await expect(page.locator(WAITING)).toHaveCount(0);
}

/** Refusals that belong to a screen: the browser's console calls each an error. */
const REFUSALS: readonly { answer: RegExp; why: string }[] = [
  { answer: /409 .*\/renew-certificate$/, why: 'the code was not entered yet' },
  { answer: /409 .*\/api\/o365\/organizations/, why: 'the code was not entered yet' },
  { answer: /404 .*\/api\/auth\/setup\/spent$/, why: 'the link is spent' },
  { answer: /401 .*\/identity-provider-return$/, why: 'no sign-in elsewhere was begun' },
];

function errorsOf(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(`error: ${message}`));
  page.on('response', (response) => {
    const answer = `${response.status()} ${response.url()}`;
    if (response.status() >= 400 && !REFUSALS.some((known) => known.answer.test(answer))) errors.push(answer);
  });
  page.on('console', (message) => {
    // Of these the answer says more.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(message.text());
  });
  return errors;
}
