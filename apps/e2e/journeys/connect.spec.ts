import { rm } from 'node:fs/promises';
import { makeTemporaryFolder } from '@keepwatch/embedded-database/temporary-folder';
import type { Page } from '@playwright/test';
import { choose, downloadSelection, explore, restoreSelection } from '../portal/explorer.ts';
import { expect, test } from '../portal/journey.ts';
import { enterCode } from '../portal/microsoft-page.ts';
import { microsoft365, tenantsUrl, untilHistoryEnds } from '../portal/microsoft365-portal.ts';
import { open, PASSWORD, signIn } from '../portal/person.ts';
import { isInstalled, messagesOf } from '../portal/readers.ts';
import { type Found, firstWith, namedPeople, openTenant, type Tenant } from '../portal/tenant.ts';

// Each takes up what the one before has made.
test.describe.configure({ mode: 'serial' });

/** Another provider of the demonstration, which has connected nothing yet. */
const origin = () => microsoft365().replace('localhost', 'partner.localhost');
const FABRIKAM = 1;
/** What a newcomer may need from the first sign-in to a mail that is back. */
const NEWCOMER_MS = 300_000;
const SUBJECT = 'The tide table of the north pier';

let tenant: Tenant;
let person: Found;
let inbox: string;
let begunMs: number;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(900_000);
  // A person's first run does not share the machine with the past of another organization, which only a demonstration makes.
  await untilHistoryEnds();
  tenant = await openTenant(tenantsUrl(), FABRIKAM);
  person = await firstWith(tenant, await namedPeople(tenant), 'mailFolders/inbox');
  inbox = `/users/${person.id}/mailFolders/inbox/messages`;
  await tenant.post(inbox, { subject: SUBJECT, body: { contentType: 'text', content: 'High water at ten.' } });
  const page = await browser.newPage();
  await signIn(page, 'admin', PASSWORD, origin());
  await addCompany(page, 'Fabrikam Ltd');
  await page.close();
});

test('a new administrator is led to connect an organization: a code, a repository, and it is there', async ({
  page,
}) => {
  begunMs = performance.now();
  await signIn(page, 'm365', PASSWORD, origin());
  await goOnFromPrompt(page, 'Please start by creating a new Organization');

  await test.step('signs in at Microsoft with the code', async () => {
    await expect(page.getByRole('heading', { name: /^Sign in at Microsoft/ })).toBeVisible();
    // The only company is chosen.
    await expect(page.getByText('KEEPWATCH-PARTNER-Fabrikam Ltd')).toBeVisible();
    await expect(page.getByRole('timer')).toContainText(/Waiting for the sign-in · 1[45]:\d\d left/);
    await enterCode(page, tenant.domain);
  });

  await test.step('the wizard goes on automatically, to the repository', async () => {
    await expect(page.getByRole('heading', { name: 'Fabrikam is connected' })).toBeVisible();
    // Its application only reads: what needs full control is left out, and said.
    await expect(page.getByRole('main').getByRole('listitem')).toContainText([
      /^Sites\.FullControl\.All: /,
      /SharePoint: /,
    ]);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('heading', { name: 'Repository for Fabrikam' })).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Folder' })).toHaveValue('fabrikam');
    await page.getByLabel(/^Password/).fill('lamp room key under the mat');
    await page.getByLabel('Repeat the password').fill('lamp room key under the mat');
    await page.getByRole('textbox', { name: 'Description of the password' }).fill('Vault, entry 12');
    await page.getByRole('button', { name: 'Create repository' }).click();
    await expect(page.getByRole('heading', { name: 'Recovery sheet' })).toBeVisible();
    await expect(page.getByText('lamp room key under the mat')).toBeVisible();
    await page.getByRole('checkbox', { name: 'I have stored the password' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('heading', { name: /^Basics/ })).toBeVisible();
  });

  await page.getByRole('link', { name: 'Organizations' }).click();
  await expect(page.getByRole('grid', { name: 'Organizations' }).getByRole('row', { name: /Fabrikam/ })).toBeVisible();
});

test('the next sign-in leads to the first job, whose first run is watched to its end', async ({ page }) => {
  await signIn(page, 'm365', PASSWORD, origin());
  await goOnFromPrompt(page, 'Please create a new Job under your Organization');

  await test.step('makes the job: the whole organization, every evening, and now', async () => {
    await expect(page.getByRole('button', { name: /^Organization.*Fabrikam/ })).toBeVisible();
    await page.getByRole('textbox', { name: 'Name' }).fill('Fabrikam nightly');
    await next(page, /^What to back up/);
    await expect(page.getByRole('radio', { name: 'The whole organization' })).toBeChecked();
    await next(page, /^Exclusions/);
    // There is one worker and one repository: nothing to choose.
    await next(page, /^Schedule/);
    await expect(page.getByRole('checkbox', { name: 'Run it now' })).toBeChecked();
    await page.getByRole('button', { name: 'Create job' }).click();
  });

  await test.step('watches the run in the list', async () => {
    const loads: string[] = [];
    page.on('load', () => loads.push(page.url()));
    const row = page.getByRole('grid', { name: 'Jobs' }).getByRole('row', { name: /Fabrikam nightly/ });
    await expect(row.getByRole('button', { name: 'Stop Fabrikam nightly' })).toBeVisible();
    await expect(row).toContainText('Success', { timeout: 150_000 });
    await expect(row).toContainText('1 restore point, last one complete');
    expect(loads).toEqual([]);
  });
});

test('a mail that is deleted in the new organization is found, restored, and back, within five minutes of the first sign-in', async ({
  page,
}) => {
  for (const { id } of await mails()) await tenant.remove(`${inbox}/${id}`);
  expect(await mails()).toEqual([]);

  await signIn(page, 'm365', PASSWORD, origin());
  await explore(page, 'outlook', origin());
  await page.getByRole('searchbox', { name: 'Search items' }).fill('tide table pier');
  const hits = page.getByRole('grid', { name: 'Search results' });
  await hits.getByRole('checkbox', { name: `Select ${SUBJECT}` }).click();
  await restoreSelection(page, tenant.domain, 'Success');
  expect(await mails()).toMatchObject([{ subject: SUBJECT, body: { content: expect.stringContaining('High water') } }]);
  const took = performance.now() - begunMs;
  console.log(`  from the first sign-in to the mail that is back: ${Math.round(took / 1_000)} s`);
  expect(took).toBeLessThan(NEWCOMER_MS);
});

test('its mailbox is downloaded as a PST that other programs read', async ({ page }) => {
  const folder = await makeTemporaryFolder('keepwatch-journey-');
  try {
    await signIn(page, 'm365', PASSWORD, origin());
    await explore(page, 'outlook', origin());
    await choose(page, 'Mailboxes', person.displayName ?? '');
    const file = await downloadSelection(page, folder, 'pst');
    if (isInstalled('readpst'))
      expect(messagesOf(file, folder).filter((text) => text.includes(SUBJECT))).toHaveLength(1);
    else process.stdout.write('  readpst (pst-utils) is not installed: nothing read the PST\n');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

const mails = () => tenant.list(`${inbox}?$filter=subject eq '${SUBJECT}'`);

async function addCompany(page: Page, name: string): Promise<void> {
  await open(page, '/monitoring/companies', origin());
  await page.getByRole('button', { name: 'Add company' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a company' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('button', { name: 'Add company' }).click();
  await expect(dialog).toHaveCount(0);
}

/** Says yes to what the portal proposes after the sign-in. */
async function goOnFromPrompt(page: Page, text: string): Promise<void> {
  const prompt = page.getByRole('dialog', { name: 'Get started' });
  await expect(prompt).toContainText(text);
  await prompt.getByRole('button', { name: 'Continue' }).click();
}

async function next(page: Page, heading: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByRole('heading', { name: heading })).toBeVisible();
}
