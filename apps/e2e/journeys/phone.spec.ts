import type { Page } from '@playwright/test';
import { expect, test } from '../portal/journey.ts';
import { enterAs, open } from '../portal/person.ts';

/** A phone as most are, and the narrowest that has to do without scrolling sideways (WCAG 1.4.10). */
const WIDTHS = [390, 320];
const SCREENS = ['dashboard', 'queue', 'daily-checks', 'calendar-report', 'companies', 'sources', 'forbidden'];

/** What reaches beyond the right edge of the window, of the frame around every screen. */
function beyondTheEdge(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const parts = document.querySelectorAll('header, header *, main, footer, footer *');
    return [...parts]
      .filter((part) => part.getBoundingClientRect().right > innerWidth + 0.5)
      .map((part) => `${part.tagName} ${part.getAttribute('aria-label') ?? part.textContent}`);
  });
}

for (const width of WIDTHS) {
  test(`no screen is wider than a window of ${width} px`, async ({ page }) => {
    await enterAs(page, 'everything');
    await page.setViewportSize({ width, height: 800 });
    for (const screen of SCREENS) {
      await open(page, `/monitoring/${screen}`);
      expect(await beyondTheEdge(page), screen).toEqual([]);
      const main = page.locator('main');
      expect(await main.evaluate((node) => node.scrollWidth - node.clientWidth), screen).toBe(0);
    }
  });

  test(`the footer takes one line of a window of ${width} px`, async ({ page }) => {
    await enterAs(page, 'operator');
    await page.setViewportSize({ width, height: 800 });
    await open(page, '/monitoring/dashboard');
    const footer = page.getByRole('contentinfo');
    const middles = await footer.locator('> *').evaluateAll((parts) =>
      parts.map((part) => {
        const { top, height } = part.getBoundingClientRect();
        return Math.round(top + height / 2);
      }),
    );
    expect(middles.length).toBeGreaterThan(2);
    expect(new Set(middles).size).toBe(1);
  });
}
