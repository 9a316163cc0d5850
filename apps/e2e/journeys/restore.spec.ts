import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../portal/journey.ts';
import { signIn } from '../portal/person.ts';
import type { Found, Tenant } from '../portal/tenant.ts';
import { startTenantPortal, type TenantPortal } from '../portal/tenant-portal.ts';

const PASSWORD = 'keepwatch-demo';
const SUBJECT = 'Lighthouse keys are with the harbour master';

let portal: TenantPortal;
let tenant: Tenant;
let folder: string;
/** Whose mail and files are restored: the first person of the tenant who has both. */
let person: Found;

test.describe.configure({ mode: 'serial', timeout: 300_000 });

test.beforeAll(async () => {
  test.setTimeout(400_000);
  portal = await startTenantPortal();
  tenant = portal.tenant;
  folder = await mkdtemp(join(tmpdir(), 'keepwatch-journey-'));
  person = await firstWith('/users', ({ id }) => tenant.list(`/users/${id}/drive/root/children`));
  await tenant.post(`/users/${person.id}/mailFolders/inbox/messages`, {
    subject: SUBJECT,
    body: { contentType: 'text', content: 'They open the lamp room.' },
  });
  await portal.backUp();
});

test.afterAll(async () => {
  await portal?.stop();
  await rm(folder, { recursive: true, force: true });
});

test.beforeEach(async ({ page }) => signIn(page, 'm365', PASSWORD, portal.url));

test('a mail that was deleted is found by search, and restored to where it was', async ({ page }) => {
  const inbox = `/users/${person.id}/mailFolders/inbox/messages?$filter=subject eq '${SUBJECT}'`;
  const [mail] = await tenant.list(inbox);
  await tenant.remove(`/users/${person.id}/messages/${mail?.id}`);
  expect(await tenant.list(inbox)).toEqual([]);

  await explore(page, 'outlook');
  await page.getByRole('searchbox', { name: 'Search items' }).fill('lighthouse harbour');
  const hits = page.getByRole('grid', { name: 'Search results' });
  await expect(hits.getByText(SUBJECT)).toHaveCount(1);
  await hits.getByText(SUBJECT).click();
  const preview = page.getByRole('complementary').filter({ hasText: SUBJECT });
  await expect(preview).toContainText('recorded in the users logs');
  await hits.getByRole('checkbox', { name: `Select ${SUBJECT}` }).click();
  const result = await restoreSelection(page);
  await expect(result).toContainText('1 restored');
  await expect.poll(async () => (await tenant.list(inbox)).length).toBe(1);
});

test('a mailbox is downloaded as a PST that other programs read', async ({ page }) => {
  await explore(page, 'outlook');
  await choose(page, 'Mailboxes', person.displayName ?? '');
  const file = await download(page, 'pst');
  expect((await stat(file)).size).toBeGreaterThan(100_000);
  if (!isInstalled('readpst')) return void process.stdout.write('  readpst is not installed: the PST was not read\n');
  const read = execFileSync('readpst', ['-o', folder, '-j', '0', file], { encoding: 'utf8' });
  expect(read).toMatch(/"Inbox" - \d+ items done/);
});

test('a folder of a OneDrive is downloaded as a ZIP', async ({ page }) => {
  const children = await tenant.list(`/users/${person.id}/drive/root/children`);
  const parent = await firstOf(
    children.filter((child) => child.folder !== undefined),
    (child) => tenant.list(`/users/${person.id}/drive/items/${child.id}/children`),
  );
  await explore(page, 'onedrive');
  const drive = `${person.displayName}: OneDrive`;
  await openRow(page, 'OneDrives', drive);
  await choose(page, `In ${drive}`, parent.name ?? '');
  const file = await download(page, 'zip');
  const listed = execFileSync('unzip', ['-l', file], { encoding: 'utf8' });
  expect(listed).toMatch(/[1-9]\d* files?\s*$/);
  execFileSync('unzip', ['-tqq', file]);
});

test('a post of a channel is restored', async ({ page }) => {
  const team = await firstWith('/groups', ({ id }) => tenant.list(`/teams/${id}/channels`));
  const channels = `/teams/${team.id}/channels`;
  await explore(page, 'teams');
  await openRow(page, 'Teams', team.displayName ?? '');
  await openRow(page, `In ${team.displayName}`, 'General');
  await openRow(page, 'In General', 'Posts');
  const posts = page.getByRole('grid', { name: 'In Posts' });
  await posts.getByRole('row').nth(1).getByRole('checkbox').click();
  const result = await restoreSelection(page);
  await expect(result).toContainText('restored');
  const restored = (await tenant.list(channels)).find(({ displayName }) => displayName === 'General (restored)');
  const said = await tenant.list(`${channels}/${restored?.id}/messages`);
  expect(said.length).toBeGreaterThan(0);
});

test('an item of a list that was deleted is restored', async ({ page }) => {
  const site = await firstWith('/sites?search=*', async ({ id }) => (await listsOf(id)).map(({ id: list }) => list));
  const [list] = await listsOf(site.id);
  const items = `/sites/${site.id}/lists/${list?.id}/items?$expand=fields`;
  const before = await tenant.list(items);
  const [item] = before;
  const title = String(item?.fields?.['Title']);
  const titled = async () => (await tenant.list(items)).filter(({ fields }) => fields?.['Title'] === title).length;
  const count = await titled();
  await tenant.remove(`/sites/${site.id}/lists/${list?.id}/items/${item?.id}`);
  expect(await titled()).toBe(count - 1);

  await explore(page, 'sharepoint');
  await openRow(page, 'Sites', site.displayName ?? '');
  await openRow(page, `In ${site.displayName}`, 'Content');
  await openRow(page, 'In Content', list?.displayName ?? '');
  await choose(page, `In ${list?.displayName}`, title);
  // Microsoft lets no application set who made an item of a list: the report says so.
  const result = await restoreSelection(page, 'Warning');
  await expect(result).toContainText('1 restored');
  await expect(page.getByRole('list', { name: 'Reasons' })).toContainText('who made and changed it');
  await expect.poll(titled).toBe(count);
});

for (const name of ['outlook', 'onedrive', 'sharepoint', 'teams'])
  test(`the explorer of ${name} fits a phone, in the dark`, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await explore(page, name);
    const grid = page.getByRole('grid').first();
    await grid.getByRole('row').nth(1).getByRole('checkbox').click();
    const widths = () => page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    expect(await widths()).toEqual([390, 390]);
    await page.getByRole('button', { name: 'Restore…' }).click();
    await expect(page.getByRole('dialog').getByRole('radio', { name: 'Where it was' })).toBeFocused();
    expect(await widths()).toEqual([390, 390]);
  });

/** The first of a list that has some of what is asked for. */
async function firstWith(path: string, ofIt: (found: Found) => Promise<unknown[]>): Promise<Found> {
  return firstOf(await tenant.list(path), ofIt);
}

async function firstOf(all: readonly Found[], ofIt: (found: Found) => Promise<unknown[]>): Promise<Found> {
  for (const found of all) {
    // Those without a OneDrive, a team or lists are refused.
    const some = await ofIt(found).catch(() => []);
    if (some.length > 0) return found;
  }
  throw new Error('The tenant has nothing of the kind.');
}

async function listsOf(siteId: string): Promise<Found[]> {
  return (await tenant.list(`/sites/${siteId}/lists`)).filter(({ list }) => list?.template === 'genericList');
}

/** Opens an explorer at the newest restore point. */
async function explore(page: Page, name: string): Promise<void> {
  await page.goto(`${portal.url}/o365/${name}`);
  await expect(page.getByRole('grid').first().getByRole('row').nth(1)).toBeVisible();
}

const rowOf = (page: Page, list: string, name: string): Locator =>
  page
    .getByRole('grid', { name: list, exact: true })
    .getByRole('row')
    .filter({ has: page.getByText(name, { exact: true }) })
    .first();

async function openRow(page: Page, list: string, name: string): Promise<void> {
  await rowOf(page, list, name).getByText(name, { exact: true }).click();
}

async function choose(page: Page, list: string, name: string): Promise<void> {
  await rowOf(page, list, name).getByRole('checkbox').click();
}

/** Restores what is selected to where it was, as an administrator of the tenant; gives the figures of the report. */
async function restoreSelection(page: Page, state = 'Success'): Promise<Locator> {
  await page.getByRole('button', { name: 'Restore…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Show the plan' }).click();
  await expect(dialog.getByRole('list', { name: 'Plan' })).toContainText('will be added');
  // Who has signed in stays so for the sessions that follow.
  const code = dialog.getByRole('link', { name: /devicelogin/ });
  const confirmed = dialog.getByText(/^Signed in as .* \(administrator\)$/);
  await expect(code.or(confirmed)).toBeVisible();
  if (await code.isVisible()) await approve(dialog, page);
  await expect(confirmed).toBeVisible();
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect(dialog.getByText(`Restore: ${state}`)).toBeVisible();
  return dialog.getByRole('list', { name: 'Result' });
}

/** Enters the code at the sandbox's page, as its administrator. */
async function approve(dialog: Locator, page: Page): Promise<void> {
  const entering = page.context().waitForEvent('page');
  await dialog.getByRole('link', { name: /devicelogin/ }).click();
  const microsoft = await entering;
  const code = await dialog.locator('code').first().textContent();
  await microsoft.getByRole('textbox', { name: /Code/ }).fill(code ?? '');
  await microsoft.getByRole('button', { name: 'Sign in' }).click();
  await expect(microsoft.getByRole('heading', { name: 'You are signed in' })).toBeVisible();
  await microsoft.close();
}

/** Downloads what is selected at once, in a format; gives where the file is. */
async function download(page: Page, format: string): Promise<string> {
  await page.getByRole('button', { name: 'Download…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Format' }).selectOption(format);
  await expect(dialog.getByText(/items? · about|not known/)).toBeVisible();
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download now' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(new RegExp(`\\.${format}$`));
  const path = join(folder, `saved.${format}`);
  await file.saveAs(path);
  return path;
}

function isInstalled(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
