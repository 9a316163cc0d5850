import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '@keepwatch/embedded-database/temporary-folder';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../portal/journey.ts';
import { enterAs, open } from '../portal/person.ts';

let folder: string;
test.beforeAll(async () => {
  folder = await makeTemporaryFolder('first-contact');
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

async function createToken(page: Page, name: string): Promise<Locator> {
  await enterAs(page, 'everything');
  await open(page, '/monitoring/sources');
  await page.getByRole('button', { name: 'Create a token' }).click();
  await page.getByLabel(/^Name/).fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Company' }).click();
  await page.getByRole('option').first().click();
  await page.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog', { name: `Token ${name}` });
  await expect(dialog.getByText('Waiting for the first report…')).toBeVisible();
  return dialog;
}

const textOf = async (dialog: Locator, label: string) =>
  (await dialog.getByRole('group', { name: label, exact: true }).locator('code').textContent()) ?? '';

/** Runs a program to its end; gives its exit code. */
function run(program: string, given: readonly string[]): Promise<number> {
  const env = { PATH: process.env['PATH'] ?? '', VMTYPE: 'qemu', HOSTNAME: 'web' };
  return new Promise((resolve) => {
    execFile(program, given, { env }, (error) => resolve(typeof error?.code === 'number' ? error.code : 0));
  });
}

test('the dialog of a new token turns green with the first report of the copied line', async ({ page }) => {
  const dialog = await createToken(page, 'First contact');
  await dialog.getByText('Anything else').click();
  const line = (await textOf(dialog, 'Line of the crontab'))
    .replace('0 2 * * * ', '')
    .replace('/path/to/backup', 'true');
  expect(await run('sh', ['-c', line])).toBe(0);
  await expect(dialog.getByRole('link', { name: 'First-contact', exact: true })).toBeVisible();
  await expect(dialog.getByRole('status').last()).toContainText('Success');
  await dialog.getByRole('button', { name: 'Done' }).click();
});

test('the hook for Proxmox VE reports each guest as a job of its own', async ({ page }) => {
  const dialog = await createToken(page, 'pve');
  await dialog.getByText('Proxmox VE').click();
  const hook = (await textOf(dialog, '/usr/local/bin/backup-report')).replaceAll('/run/', `${folder}/`);
  const path = join(folder, 'hook');
  await writeFile(path, hook);
  for (const phase of ['backup-start', 'backup-end'])
    expect(await run('bash', [path, phase, 'snapshot', '101'])).toBe(0);
  await expect(dialog.getByRole('status').last()).toContainText('Proxmox VE: pve-101');
  await dialog.getByRole('link', { name: 'pve-101' }).click();
  await expect(page.getByRole('grid', { name: 'Job executions' }).getByText('Proxmox VE')).toBeVisible();
});

test('a test run is sent, marked as one, and removed again', async ({ page }) => {
  const dialog = await createToken(page, 'Tried');
  await dialog.getByRole('button', { name: 'Send a test run' }).click();
  await expect(dialog.getByRole('status').last()).toContainText('Test run: Tried-test');
  await dialog.getByRole('button', { name: 'Remove test run' }).click();
  await expect(dialog.getByText('Waiting for the first report…')).toBeVisible();
  expect(await run('sh', ['-c', await textOf(dialog, 'Try it on that computer: sends a test run')])).toBe(0);
  await expect(dialog.getByRole('status').last()).toContainText('Test run: Tried-test');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Remove the test run of Tried' }).click();
  await expect(page.getByRole('button', { name: 'Remove the test run of Tried' })).toHaveCount(0);
});
