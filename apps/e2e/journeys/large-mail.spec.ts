import type { listOrganizationNames } from '@keepwatch/contract/microsoft365/organizations';
import type { ItemPreview } from '@keepwatch/contract/restore/previews';
import type { CallReply } from '@keepwatch/contract/wire/call';
import type { Page } from '@playwright/test';
import { expect, test } from '../portal/journey.ts';
import { watchTasks } from '../portal/long-tasks.ts';
import { demonstration, enterAs } from '../portal/person.ts';

/**
 * What the server leaves of a mail of 5 MB is at most a million characters of plain tags, nested 200 deep (`mail-preview.ts` of the engine, whose
 * tests send it hostile mail). Here is the worst of it that a browser can get, in the explorer itself; only what it is asked for is answered here.
 */
const CHARACTERS = 1_000_000;
const DEPTH = 200;

const filled = (part: string) => part.repeat(Math.floor(CHARACTERS / part.length));
const nested = `${'<table><tr><td>'.repeat(DEPTH / 4)}deep${'</td></tr></table>'.repeat(DEPTH / 4)}`;
const BODIES = {
  'tables within tables': filled(nested),
  'a hundred thousand words in paragraphs': filled('<p>words of a report <b>that</b> is <i>long</i></p>'),
  'a table of many rows': `<table>${filled('<tr><td>1</td><td>Order</td><td>12.50</td></tr>')}</table>`,
} as const;

const ID = '0193a000-0000-7000-8000-000000000010';
const AT = '2026-03-14T12:00:00.000Z';
const NAME: CallReply<typeof listOrganizationNames>['data'][number] = {
  id: ID,
  name: 'Contoso',
  companyId: ID,
  companyName: 'Company 1',
  engine: 'built-in',
};
const self = { href: '/o365/restore/restoresessions' };
const mailbox = { id: 'm', name: 'Ada', email: 'ada@contoso.test', isArchive: false, isGroup: false };

const people = { from: null, to: [], cc: [], bcc: [], itemClass: null, importance: null, isRead: true };
const dates = { sent: AT, received: AT, startTime: null, endTime: null, modified: null };
const message = {
  ...{ id: 'large', mailboxId: 'm', parentId: 'Inbox', type: 'message', name: 'Large', subject: 'Large' },
  ...{ ...people, ...dates, sizeBytes: 5 * 2 ** 20, hasAttachments: false, isDeleted: false },
};

function preview(html: string): ItemPreview {
  const people = { from: null, recipients: [], sentAt: AT, receivedAt: null };
  const content = { html, text: null, isCut: true, parts: [], losses: [], picture: null, facts: [] };
  return { id: 'large', type: 'message', name: 'Large', ...people, ...content };
}

/** What the explorer asks for on its way to the mail. */
function answersOf(html: string): Readonly<Record<string, unknown>> {
  const place = { companyId: ID, organizationId: ID, jobId: null, isPartial: false };
  const services = { isExchange: true, isOneDrive: false, isSharePoint: false, isTeams: false };
  const point = {
    id: 'p',
    ...place,
    jobName: 'Nightly',
    repositoryId: ID,
    backupTime: AT,
    result: 'Success',
    ...services,
  };
  const session = { id: ID, ...place, sessionType: 'vex', datetime: AT, backupTime: AT, showDeleted: false };
  const open = { state: 'Working', token: null, expiresAt: '2100-01-01T00:00:00.000Z' };
  return {
    '/o365/organizations/names': { data: [NAME] },
    '/o365/restore/restorepoints': { count: 1, data: [{ ...point, incompleteObjects: 0, itemsRead: 1, itemsLost: 0 }] },
    '/o365/restore/restoresessions': { data: { ...session, ...open } },
    [`/o365/restore/restoresessions/${ID}/mailboxes`]: {
      data: { results: [{ ...mailbox, backupTime: AT, isDeleted: false }] },
      _links: { self },
    },
    [`/o365/restore/restoresessions/${ID}/mailboxes/m/folders`]: { data: { results: [] }, _links: { self } },
    [`/o365/restore/restoresessions/${ID}/mailboxes/m/items`]: { data: { results: [message] }, _links: { self } },
    [`/o365/restore/restoresessions/${ID}/preview`]: { data: preview(html) },
  };
}

async function answer(page: Page, html: string): Promise<void> {
  const answers = answersOf(html);
  await page.route('**/api/o365/**', (route) => {
    const found = answers[new URL(route.request().url()).pathname.replace('/api', '')];
    return found === undefined
      ? route.continue()
      : route.fulfill({ json: { success: true, ...(typeof found === 'object' ? found : {}) } });
  });
}

async function longestTaskMs(page: Page): Promise<number> {
  await page.goto(`${demonstration()}/o365/outlook?at=mailbox~m~Ada&at=mail-folder~Inbox~Inbox`);
  const row = page.getByRole('grid', { name: 'In Inbox' }).getByText('Large');
  await expect(row).toBeVisible();
  const longest = await watchTasks(page);
  await row.click();
  const frame = page.getByTitle('Message: Large');
  await expect(frame).toBeVisible();
  await expect(frame.contentFrame().locator('body')).not.toBeEmpty();
  return longest();
}

const ROUNDS_MAX = 6;

for (const [name, html] of Object.entries(BODIES))
  test(`a mail of a million characters is shown without a task over 200 ms: ${name}`, async ({ page }) => {
    await enterAs(page, 'm365');
    await answer(page, html);
    const tasksMs: number[] = [];
    // Whatever else the machine does can only make a task longer.
    while (tasksMs.length < ROUNDS_MAX && !tasksMs.some((ms) => ms <= 200)) tasksMs.push(await longestTaskMs(page));
    process.stdout.write(`  ${name}: longest task ${tasksMs.join(', ')} ms\n`);
    expect(Math.min(...tasksMs)).toBeLessThanOrEqual(200);
  });
