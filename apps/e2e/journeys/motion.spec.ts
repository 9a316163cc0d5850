import type { Page } from '@playwright/test';
import { expect, test } from '../portal/journey.ts';
import { enterAs, open } from '../portal/person.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** Finds everything on the page that would move, or change over time into its present state. */
function moving(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('body, body *')].flatMap((element) =>
      [null, '::before', '::after'].flatMap((part) => {
        const { animationName, transitionDuration, transitionProperty } = getComputedStyle(element, part);
        const isChanging = transitionProperty !== 'none' && /[1-9]/.test(transitionDuration);
        return animationName !== 'none' || isChanging ? [`${element.tagName}.${element.className}${part ?? ''}`] : [];
      }),
    ),
  );
}

test('nothing moves for who has asked the system for less motion', async ({ page }) => {
  await enterAs(page, 'everything');
  await open(page, '/monitoring/sources');
  // Where the colours have just been set, nothing moves for a moment, so that they change at once.
  await expect.poll(() => moving(page)).not.toEqual([]);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const screen of ['sources', 'dashboard', 'daily-checks']) {
    await open(page, `/monitoring/${screen}`);
    expect(await moving(page), screen).toEqual([]);
  }
});
