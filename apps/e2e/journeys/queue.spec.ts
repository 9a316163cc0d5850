import type { editFaults } from '@keepwatch/contract/faults/faults';
import type { CallReply, CallRequest } from '@keepwatch/contract/wire/call';
import { request, type Transport } from '@keepwatch/contract/wire/client';
import type { Page } from '@playwright/test';
import { sendEdit } from '../../web/src/entities/run-edits/send-edit.ts';
import { stateBack } from '../../web/src/entities/run-edits/undo.ts';
import { expect, test } from '../portal/journey.ts';
import { addUser, demonstration, enterAs, open, sessionOf } from '../portal/person.ts';

const EDITS = '/faults/bulk';
/** Of a morning: after it, a person has had coffee. */
const MORNING_MS = 5 * 60_000;

type Reply = CallReply<typeof editFaults>;

/** What the journeys changed: they leave the runs of the portal to the others as they were. */
const made: { username: string; reply: Reply }[] = [];

/** Collects what a user changes on a page: the ids of the faults of each change that was made. */
function changesOf(page: Page, username: string): string[][] {
  const changed: string[][] = [];
  page.on('response', async (response) => {
    if (!response.url().endsWith(EDITS) || !response.ok()) return;
    const reply: Reply = await response.json();
    const body: CallRequest<typeof editFaults>['body'] = response.request().postDataJSON();
    made.push({ username, reply });
    if (reply.changed > 0) changed.push(body.ids ?? []);
  });
  return changed;
}

test.afterEach(async () => {
  for (const { username, reply } of made.splice(0).reverse()) {
    const { before, madeAt, noteId, notedIds } = reply;
    const states = before.map(({ ids, spans, ...earlier }) => ({ ids, spans, ...stateBack(earlier, madeAt) }));
    const note = noteId === null ? [] : [{ ids: notedIds, change: { removeNote: noteId } }];
    const { token } = await sessionOf(username);
    const transport: Transport = { fetch, origin: demonstration(), token: () => token };
    for (const edit of [...states, ...note]) {
      const { error } = await sendEdit({ request: (call, given) => request(transport, call, given) }, edit);
      if (error !== null) throw error;
    }
  }
});

const title = (page: Page) =>
  page.getByRole('region', { name: 'Working through the faults' }).getByRole('heading', { level: 2 });

/** The fault at hand with its company: jobs of several companies have one name. */
async function faultOf(page: Page): Promise<string> {
  const facts = title(page).locator('xpath=following-sibling::p[1]');
  return `${await title(page).textContent()}, ${await facts.textContent()}`;
}

/** The fault at hand by its name and place: `1 of 64, Nightly`. */
async function atHand(page: Page): Promise<string> {
  const name = await title(page).textContent();
  const place = await page
    .getByText(/^[\d,]+ of [\d,]+/)
    .first()
    .textContent();
  return `${place} ${name}`;
}

test('works off the morning with the keyboard alone, in less than five minutes', async ({ page }) => {
  const begun = Date.now();
  changesOf(page, 'operator');
  await enterAs(page, 'operator');
  await open(page, '/monitoring/dashboard');
  // The keys that go to screens come a moment after the screen.
  await expect(async () => {
    await page.keyboard.type('gf');
    await expect(page).toHaveURL(/\/monitoring\/queue/, { timeout: 1_000 });
  }).toPass();
  await expect(page.getByRole('grid', { name: 'Faults' }).getByRole('row').nth(3)).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(title(page)).toBeVisible();
  const isEnd = () => page.getByRole('heading', { name: /^All clear at/ }).isVisible();

  await test.step('resolves one with a note, marks one in progress, ignores one until tomorrow, and undoes that', async () => {
    const first = await atHand(page);
    await page.keyboard.press('n');
    await page.keyboard.type('Repository was full; asked the customer');
    await page.keyboard.press('Escape');
    await page.keyboard.press('r');
    await expect.poll(() => atHand(page)).not.toBe(first);
    await page.keyboard.press('p');
    await expect(page.getByText(/marked in progress\.$/)).toBeVisible();
    const ignored = await title(page).textContent();
    await page.keyboard.press('i');
    await expect(page.getByRole('dialog', { name: 'Ignore this fault' })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.getByText(/ignored\.$/)).toBeVisible();
    await page.keyboard.press('z');
    await expect(title(page)).toHaveText(ignored ?? '');
  });

  await test.step('resolves all others, those of one cause together', async () => {
    await expect
      .poll(
        async () => {
          if (!(await isEnd())) await page.keyboard.press('Shift+R');
          return isEnd();
        },
        { timeout: MORNING_MS, intervals: [150] },
      )
      .toBe(true);
  });

  await expect(page.getByText(/ faults handled in .+: .+ resolved, .*1 in progress/)).toBeVisible();
  const report = page.getByRole('group', { name: 'Report' });
  await expect(report).toContainText('In progress:');
  await expect(report).toContainText(': operator');
  await expect(page.getByRole('link', { name: 'Send by mail' })).toHaveAttribute('href', /^mailto:\?subject=/);
  expect(Date.now() - begun).toBeLessThan(MORNING_MS);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('grid', { name: 'Faults' }).or(page.getByText('All clear'))).toBeVisible();
});

test('two people at once see each other, and never work on the same fault', async ({ browser }) => {
  await addUser('queue-colleague');
  const people = await Promise.all(
    ['operator', 'queue-colleague'].map(async (username) => {
      const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
      await enterAs(page, username);
      return { username, page, changed: changesOf(page, username) };
    }),
  );
  const [one, other] = people;
  if (one === undefined || other === undefined) throw new Error('There are two people.');
  await Promise.all(
    people.map(({ page }) => page.goto(`${demonstration()}/monitoring/queue?state=open&morning=start`)),
  );
  await Promise.all(people.map(({ page }) => expect(title(page)).toBeVisible()));
  // Who came second goes on to the next one.
  await expect.poll(async () => (await faultOf(one.page)) !== (await faultOf(other.page))).toBe(true);

  await test.step('the queue names who has a fault open, and its lines go when another person settles them', async () => {
    const looker = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
    await enterAs(looker, 'reader');
    await open(looker, '/monitoring/queue?state=open&single=true');
    const list = looker.getByRole('grid', { name: 'Faults' });
    for (const { username, page } of people) {
      const name = (await title(page).textContent()) ?? '';
      const row = list
        .getByRole('row')
        .filter({ hasText: name })
        .filter({ hasText: `${username} has this open` });
      await expect(row.first()).toBeVisible();
    }
    const before = await looker.getByText(/^[\d,]+ faults$/).textContent();
    await one.page.keyboard.press('r');
    await expect(looker.getByText(/^[\d,]+ faults$/)).not.toHaveText(before ?? '');
    await looker.context().close();
  });

  await test.step('both work to the end', async () => {
    const isEnd = ({ page }: { page: Page }) => page.getByRole('heading', { name: /^All clear at/ }).isVisible();
    const step = async (person: (typeof people)[number]) => {
      if (!(await isEnd(person))) await person.page.keyboard.press('r');
    };
    await expect
      .poll(
        async () => {
          await Promise.all(people.map(step));
          return (await Promise.all(people.map(isEnd))).every(Boolean);
        },
        { timeout: 150_000, intervals: [100] },
      )
      .toBe(true);
  });
  const [ofOne, ofOther] = people.map(({ changed }) => changed.flat());
  expect(ofOne?.length).toBeGreaterThan(3);
  expect(ofOther?.length).toBeGreaterThan(3);
  expect(ofOne?.filter((id) => ofOther?.includes(id))).toEqual([]);
  for (const { page } of people) await page.context().close();
});
