import { rm } from 'node:fs/promises';
import { makeTemporaryFolder } from '@keepwatch/embedded-database/temporary-folder';
import { choose, downloadSelection, explore, openPath, restoreSelection } from '../portal/explorer.ts';
import { expect, test } from '../portal/journey.ts';
import { backUp, limitOperator, microsoft365, tenantsUrl, untilHistoryEnds } from '../portal/microsoft365-portal.ts';
import { PASSWORD, signIn } from '../portal/person.ts';
import { isInstalled, messagesOf, textsOf } from '../portal/readers.ts';
import { type Found, firstWith, namedPeople, openTenant, type Tenant } from '../portal/tenant.ts';

const CONTOSO = 0;
/** Makes what is restored unlike anything else there, also what a run before has left. */
const NUMBER = String(Date.now());
const SUBJECT = `Lighthouse keys ${NUMBER} are with the harbour master`;
const OTHER_SUBJECT = `The spare ones of ${NUMBER}`;
const BODY = 'They open the lamp room, not the store.';
const FILES = { 'Lighthouse/keys.txt': 'one for the lamp room', 'Lighthouse/Logs/1902.txt': 'Fog since Tuesday.' };

let tenant: Tenant;
let folder: string;
/** Whose mail and files are restored, and another person with mail. */
let person: Found;
let other: Found;
let inbox: string;
/** A site with a list, and a row of it. */
let site: Found;
let list: string;
let row: Found;

test.beforeAll(async () => {
  test.setTimeout(900_000);
  folder = await makeTemporaryFolder('keepwatch-journey-');
  await untilHistoryEnds();
  tenant = await openTenant(tenantsUrl(), CONTOSO);
  await addWhatIsLost();
  await backUp();
});

test.afterAll(() => rm(folder, { recursive: true, force: true }));

test.beforeEach(({ page }) => signIn(page, 'm365', PASSWORD, microsoft365()));

test('a mail that was deleted is found by search, and restored to where it was', async ({ page }) => {
  for (const { id } of await lostMails()) await tenant.remove(`/users/${person.id}/messages/${id}`);
  expect(await lostMails()).toEqual([]);

  await explore(page, 'outlook');
  await page.getByRole('searchbox', { name: 'Search items' }).fill(`lighthouse ${NUMBER}`);
  const hits = page.getByRole('grid', { name: 'Search results' });
  await expect(hits.getByText(SUBJECT)).toHaveCount(1);
  await hits.getByText(SUBJECT).click();
  const preview = page.getByRole('complementary').filter({ hasText: SUBJECT });
  await expect(preview).toContainText(BODY);
  await hits.getByRole('checkbox', { name: `Select ${SUBJECT}` }).click();
  const dialog = await restoreSelection(page, tenant.domain, 'Success');
  await expect(dialog.getByText('Everything came back as asked')).toBeInViewport();
  const back = await lostMails();
  expect(back).toMatchObject([{ subject: SUBJECT, body: { content: expect.stringContaining(BODY) } }]);
});

test('a mailbox is downloaded as a PST that other programs read', async ({ page }) => {
  await explore(page, 'outlook');
  await choose(page, 'Mailboxes', person.displayName ?? '');
  const file = await downloadSelection(page, folder, 'pst');
  if (!isInstalled('readpst'))
    return void process.stdout.write('  readpst (pst-utils) is not installed: nothing read the PST\n');
  const messages = messagesOf(file, folder);
  expect(messages.length).toBeGreaterThan(50);
  expect(messages.filter((text) => text.includes(SUBJECT))).toEqual([expect.stringContaining(BODY)]);
});

test('a folder of a OneDrive is downloaded as a ZIP on a phone in the dark, with what is below it', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await explore(page, 'onedrive');
  const drive = `${person.displayName}: OneDrive`;
  await openPath(page, 'OneDrives', drive);
  await choose(page, `In ${drive}`, 'Lighthouse');
  expect(textsOf(await downloadSelection(page, folder, 'zip'))).toEqual(FILES);
});

test('a row of a list that was deleted is restored with all of its columns', async ({ page }) => {
  const titled = async () =>
    (await tenant.list(`${list}/items?$expand=fields`)).filter(
      ({ fields }) => fields?.['Title'] === row.fields?.['Title'],
    );
  await tenant.remove(`${list}/items/${row.id}`);
  expect(await titled()).toEqual([]);

  await explore(page, 'sharepoint');
  await openPath(page, 'Sites', site.displayName ?? '', 'Content', 'Inventory');
  await choose(page, 'In Inventory', `Fresnel lens ${NUMBER}`);
  // Microsoft lets no application set who made a row: the report says so.
  const dialog = await restoreSelection(page, tenant.domain, 'Warning');
  await expect(dialog.getByRole('list', { name: 'Reasons' })).toContainText('who made and changed it');
  const { Title, Code, Quantity, Price } = row.fields ?? {};
  expect(await titled()).toMatchObject([{ fields: { Title, Code, Quantity, Price } }]);
});

test('a post of a channel is restored with its text', async ({ page }) => {
  const teams = await tenant.list("/groups?$filter=resourceProvisioningOptions/Any(x:x eq 'Team')");
  const team = teams[0];
  const channels = `/teams/${team?.id}/channels`;
  const general = (await tenant.list(channels)).find(({ displayName }) => displayName === 'General');
  const posts = await tenant.list(`${channels}/${general?.id}/messages`);

  await explore(page, 'teams');
  await openPath(page, 'Teams', team?.displayName ?? '', 'General', 'Posts');
  const first = page.getByRole('grid', { name: 'In Posts' }).getByRole('row').nth(1);
  await first.getByRole('checkbox').click();
  await restoreSelection(page, tenant.domain, 'Success');
  const restored = (await tenant.list(channels)).find(({ displayName }) => displayName === 'General (restored)');
  const [said] = await tenant.list(`${channels}/${restored?.id}/messages`);
  expect(posts.map(({ body }) => body?.content)).toContain(said?.body?.content);
});

test('a restore operator finds and restores what the role allows, and sees nothing else', async ({ browser }) => {
  await limitOperator({ selected: [person, other], excluded: [other] });
  for (const { id } of await lostMails()) await tenant.remove(`/users/${person.id}/messages/${id}`);
  const page = await browser.newPage({ reducedMotion: 'reduce' });
  await signIn(page, 'restore', PASSWORD, microsoft365());

  await test.step('no menu leads to what is not theirs', async () => {
    const menu = page.getByRole('navigation').first();
    await expect(menu.getByRole('link', { name: 'Outlook' })).toBeVisible();
    for (const name of ['Dashboard', 'Organizations', 'Jobs', 'Repositories', 'Restore operator roles'])
      await expect(menu.getByRole('link', { name, exact: true })).toHaveCount(0);
  });

  await test.step('the explorer and the search show one person alone', async () => {
    await explore(page, 'outlook');
    const mailboxes = page.getByRole('grid', { name: 'Mailboxes' });
    await expect(mailboxes.getByText(person.displayName ?? '', { exact: true })).toBeVisible();
    await expect(mailboxes.getByText(other.displayName ?? '', { exact: true })).toHaveCount(0);
    await page.getByRole('searchbox', { name: 'Search items' }).fill(NUMBER);
    const hits = page.getByRole('grid', { name: 'Search results' });
    await expect(hits.getByText(SUBJECT)).toHaveCount(1);
    await expect(hits.getByText(OTHER_SUBJECT)).toHaveCount(0);
    await hits.getByRole('checkbox', { name: `Select ${SUBJECT}` }).click();
  });

  await test.step('a mail comes back', async () => {
    await restoreSelection(page, tenant.domain, 'Success');
    expect(await lostMails()).toMatchObject([{ subject: SUBJECT }]);
  });

  await test.step('downloads of others are not listed', async () => {
    await page.goto(`${microsoft365()}/o365/restore/downloads`);
    await expect(page.getByRole('heading', { name: 'No downloads' })).toBeVisible();
  });
  await page.close();
});

const lostMails = () => tenant.list(`${inbox}?$filter=subject eq '${SUBJECT}'`);

/** What is deleted, or downloaded, after the backup. */
async function addWhatIsLost(): Promise<void> {
  [person, other] = await firstPeople();
  inbox = `/users/${person.id}/mailFolders/inbox/messages`;
  await tenant.post(inbox, { subject: SUBJECT, body: { contentType: 'text', content: BODY } });
  const spare = { subject: OTHER_SUBJECT, body: { contentType: 'text', content: BODY } };
  await tenant.post(`/users/${other.id}/mailFolders/inbox/messages`, spare);
  for (const [path, text] of Object.entries(FILES))
    await tenant.put(`/users/${person.id}/drive/root:/${path}:/content`, text);
  ({ site, list } = await firstInventory());
  row = await tenant.post(`${list}/items`, {
    fields: { Title: `Fresnel lens ${NUMBER}`, Code: 'FL-1', Quantity: 3, Price: 12.5 },
  });
}

/** One with a mailbox and a OneDrive, and another one with a mailbox, of names that no others have. */
async function firstPeople(): Promise<[Found, Found]> {
  const named = await namedPeople(tenant);
  const first = await firstWith(tenant, named, 'mailFolders/inbox', 'drive/root');
  const others = named.filter(({ id }) => id !== first.id);
  return [first, await firstWith(tenant, others, 'mailFolders/inbox')];
}

async function firstInventory(): Promise<{ site: Found; list: string }> {
  for (const site of await tenant.list('/sites?search=*')) {
    const found = (await tenant.list(`/sites/${site.id}/lists`)).find(({ displayName }) => displayName === 'Inventory');
    if (found !== undefined) return { site, list: `/sites/${site.id}/lists/${found.id}` };
  }
  throw new Error('The tenant has no list Inventory.');
}
