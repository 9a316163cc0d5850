import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { expect } from './journey.ts';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21aa'];
export const RULES: axe.RunOnly = { type: 'tag', values: TAGS };
/** Those that look at colours. A colour scheme changes nothing else: the page has the same elements, names and places in both. */
export const RULES_OF_COLOURS: axe.RunOnly = {
  type: 'rule',
  values: axe.getRules(TAGS).flatMap(({ ruleId, tags }) => (tags.includes('cat.color') ? [ruleId] : [])),
};

export type ColorScheme = 'light' | 'dark';

/** Looks at the page in both colour schemes, without loading it again. */
export async function expectNoBarriers(page: Page): Promise<void> {
  const light = await showIn(page, 'light');
  expect(await barriers(page, RULES)).toEqual([]);
  expect(await showIn(page, 'dark')).not.toBe(light);
  expect(await barriers(page, RULES_OF_COLOURS)).toEqual([]);
  await showIn(page, 'light');
}

/** Waits until the page has the colours of a scheme. @returns its background */
export async function showIn(page: Page, colorScheme: ColorScheme): Promise<string> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
  return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
}

/** What breaks a rule, with where it is. */
export async function barriers(page: Page, runOnly: axe.RunOnly): Promise<string[]> {
  // The page has no frames: all of it is looked at from within, which takes a fifth of the time that collecting it from frames would.
  expect(page.frames()).toHaveLength(1);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async (rules) => {
    // What is right is not listed: on a screen of many rows that takes longer than to look for what is wrong.
    const { violations } = await window.axe.run(document, { runOnly: rules, resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  }, runOnly);
}
