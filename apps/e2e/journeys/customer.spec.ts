import { readFile } from 'node:fs/promises';
import { expect, test } from '../portal/journey.ts';
import { enterAs, open } from '../portal/person.ts';

const NOTE = 'Backups pause on Sundays: the office has no power then.';

/** Before a technician calls a customer. */
test('opens the customer in most trouble, sees why, writes down what to know, and takes the page along', async ({
  page,
}) => {
  await enterAs(page, 'everything');
  await open(page, '/monitoring/companies');
  await expect(page.getByRole('grid', { name: 'Companies' }).getByRole('link').first()).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/monitoring\/companies\/[0-9a-f-]{36}$/);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);

  await test.step('sees what is open and why', async () => {
    const faults = page.getByRole('region', { name: 'Open faults' });
    await expect(faults.getByText('Failed', { exact: true }).first()).toBeVisible();
    await expect(faults.getByRole('img', { name: /^Last \d+ runs/ }).first()).toBeVisible();
    const month = page.getByRole('region', { name: /^Jobs in \w+ 20\d\d$/ });
    await expect(month.getByRole('row').nth(1)).toBeVisible();
  });

  const notes = page.getByRole('region', { name: 'Notes' });
  const contacts = page.getByRole('region', { name: 'Contacts' });
  await test.step('writes down what to know and whom to call', async () => {
    await notes.getByLabel('New note').fill(NOTE);
    await notes.getByRole('button', { name: 'Add note' }).click();
    await expect(notes.getByRole('listitem').filter({ hasText: NOTE })).toContainText('everything');
    await contacts.getByRole('button', { name: 'Add contact' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a contact' });
    await dialog.getByLabel(/^Name/).fill('Anna Berg');
    await dialog.getByLabel('Role').fill('IT manager');
    await dialog.getByRole('button', { name: 'Add contact' }).click();
    await expect(contacts.getByRole('listitem')).toContainText('IT manager');
  });

  await test.step('prints what is known, without what can be done', async () => {
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('navigation').first()).toBeHidden();
    await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
    await expect(notes.getByLabel('New note')).toBeHidden();
    await expect(notes.getByText(NOTE)).toBeVisible();
    await page.emulateMedia({ media: null });
  });

  await test.step('saves the jobs with their faults', async () => {
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const text = await readFile(await (await saving).path(), 'utf8');
    const [head = '', first = ''] = text.split('\r\n');
    expect(head).toMatch(/^\uFEFFJob,.*,Open fault,/);
    expect(first).toContain(',failed,');
  });

  await test.step('removes the note and the contact', async () => {
    await notes.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove note' }).click();
    await expect(notes.getByText(NOTE)).toHaveCount(0);
    await contacts.getByRole('button', { name: 'Remove Anna Berg' }).click();
    await page.getByRole('button', { name: 'Remove contact' }).click();
    await expect(contacts.getByRole('listitem')).toHaveCount(0);
  });
});
