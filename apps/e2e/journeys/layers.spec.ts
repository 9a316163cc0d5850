import type { Page } from '@playwright/test';
import { expect, test } from '../portal/journey.ts';
import { LAYERS, type Layer } from '../portal/layers.ts';
import { createToken, enterAs, open } from '../portal/person.ts';

/** Has every letter that is a shortcut on a screen, two in a row that open another screen, and no key that presses a button. */
const SENTENCE = 'zip-job-token:rerun.gdx';

for (const [path, layers] of Map.groupBy(LAYERS, (layer) => layer.path)) {
  test(`what is typed into an open panel or dialog of ${path} changes nothing on the page below`, async ({ page }) => {
    const edits: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') edits.push(`${request.method()} ${new URL(request.url()).pathname}`);
    });
    if (layers.some(({ file }) => file.endsWith('revoke-token.tsx'))) await createToken('A token to revoke');
    await enterAs(page, 'everything');
    await open(page, path);
    // Enter on a row that is not loaded yet opens nothing.
    if (hasList(layers)) await expect(page.getByRole('grid')).toHaveAttribute('aria-busy', 'false');
    for (const layer of layers) await test.step(`${layer.file}: ${layer.name}`, () => typeInto(page, layer, edits));
  });
}

/** Whether some of them are opened from a row of the page's list, with its keys. */
function hasList(layers: readonly Layer[]): boolean {
  return layers.some(({ steps }) => steps.some((step) => 'press' in step && step.press === 'j'));
}

async function typeInto(page: Page, layer: Layer, edits: string[]): Promise<void> {
  for (const step of layer.steps) {
    if ('press' in step) await page.keyboard.press(step.press);
    else await page.getByRole('button', { name: step.click, exact: true }).first().click();
  }
  const opened = page.getByRole('dialog', { name: layer.name, exact: true });
  await expect(opened).toBeVisible();
  await expect.poll(() => opened.evaluate((it) => it.contains(document.activeElement))).toBe(true);
  // A form that is loaded once its dialog is open takes the focus from the dialog's close button.
  if (layer.hasField === true) await expect.poll(() => fieldValue(page)).not.toBeNull();
  const before = await listOf(page);
  const valueBefore = (await fieldValue(page)) ?? '';
  edits.length = 0;
  await page.keyboard.type(SENTENCE);
  if (layer.hasField === true) expect(await fieldValue(page)).toBe(valueBefore + SENTENCE);
  await page.keyboard.press('ArrowDown');
  expect(await opened.evaluate((it) => it.contains(document.activeElement))).toBe(true);
  expect(await listOf(page)).toEqual(before);
  expect(edits).toEqual([]);
  await page.keyboard.press('Escape');
  if (layer.asksBeforeClosing === true) await page.getByRole('button', { name: 'Discard' }).click();
  await expect(opened).toBeHidden();
  // What it was opened from: a dialog, an open run, a selection.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** The rows on screen, which of them are chosen and where the keyboard is. */
async function listOf(page: Page): Promise<unknown> {
  return page.getByRole('grid').evaluateAll((grids) =>
    grids.map((grid) => ({
      active: grid.getAttribute('aria-activedescendant'),
      chosen: grid.querySelectorAll('[aria-selected="true"]').length,
      jobs: [...grid.querySelectorAll('[role="row"] input')].slice(0, 12).map((box) => box.ariaLabel),
    })),
  );
}

async function fieldValue(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const field = document.activeElement;
    return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field.value : null;
  });
}
