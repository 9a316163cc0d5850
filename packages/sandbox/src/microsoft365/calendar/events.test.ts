import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { TenantClient } from '../testing/tenant-client.ts';
import { objectsOf, textOf, valueAt } from '../wire/json.ts';
import { dateOf, dayOf, occurrenceDays } from './recurrence.ts';

let tenant: RunningTenant;
let client: TenantClient;
let base: string;

beforeAll(async () => {
  tenant = await startTenant({ size: 'small', budgets: false, now: () => new Date('2026-11-21T09:00:00Z') });
  client = await TenantClient.signIn(tenant);
  base = `/users/${tenant.tenant.directory.users.find(({ mailbox }) => mailbox)?.id}`;
});
afterAll(() => tenant.stop());

const weekly = {
  subject: 'Weekly',
  start: { dateTime: '2026-11-23T09:00:00', timeZone: 'W. Europe Standard Time' },
  end: { dateTime: '2026-11-23T10:00:00', timeZone: 'W. Europe Standard Time' },
  attendees: [{ type: 'optional', emailAddress: { name: 'Zoë', address: 'zoe@partner.example' } }],
  recurrence: {
    pattern: { type: 'weekly', interval: 1, daysOfWeek: ['monday'] },
    range: { type: 'numbered', startDate: '2026-11-23', numberOfOccurrences: 4 },
  },
};
const window = 'startDateTime=2026-11-01T00:00:00Z&endDateTime=2027-01-31T00:00:00Z';

describe('a series', () => {
  test('has occurrences that can be changed and cancelled one by one', async () => {
    const { status, body } = await client.ask('POST', `${base}/events`, weekly);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      type: 'seriesMaster',
      start: { dateTime: '2026-11-23T08:00:00.0000000', timeZone: 'UTC' },
      originalStartTimeZone: 'W. Europe Standard Time',
      attendees: [{ status: { response: 'none' } }],
    });
    const id = textOf(valueAt(body, 'id'));
    const instances = async () => (await client.drain(`${base}/events/${id}/instances?${window}`)).value;
    const before = await instances();
    expect(before.map(({ type }) => type)).toEqual(Array(4).fill('occurrence'));
    const [first, second] = before;
    const changed = await client.ask('PATCH', `${base}/events/${first?.['id']}`, { subject: 'Moved' });
    expect(changed.body).toMatchObject({ type: 'exception', subject: 'Moved', seriesMasterId: id });
    expect((await client.ask('DELETE', `${base}/events/${second?.['id']}`)).status).toBe(204);
    expect((await instances()).map(({ subject }) => subject)).toEqual(['Moved', 'Weekly', 'Weekly']);
    const master = await client.get(`${base}/events/${id}?$expand=exceptionOccurrences`);
    expect(valueAt(master.body, 'cancelledOccurrences')).toEqual([`OID.${id}.2026-11-30`]);
    expect(objectsOf(valueAt(master.body, 'exceptionOccurrences'))).toMatchObject([{ subject: 'Moved' }]);
  });

  test.each([
    ['daily', { type: 'daily', interval: 2 }, ['2026-01-31', '2026-02-02', '2026-02-04']],
    ['monthly', { type: 'absoluteMonthly', interval: 1, dayOfMonth: 31 }, ['2026-01-31', '2026-02-28', '2026-03-31']],
    [
      'by weekday',
      { type: 'relativeMonthly', interval: 1, daysOfWeek: ['friday'], index: 'last' },
      ['2026-02-27', '2026-03-27', '2026-04-24'],
    ],
    [
      'yearly',
      { type: 'absoluteYearly', interval: 1, month: 2, dayOfMonth: 29 },
      ['2026-02-28', '2027-02-28', '2028-02-29'],
    ],
  ])('falls on its days: %s', (_name, pattern, days) => {
    const range = { type: 'numbered', startDate: '2026-01-31', numberOfOccurrences: 3 };
    expect([...occurrenceDays({ pattern, range }, dayOf('2030-01-01'))].map(dateOf)).toEqual(days);
  });
});

test('the events of a calendar are listed without occurrences, and followed by delta', async () => {
  const { value: calendars } = await client.drain(`${base}/calendars`);
  expect(calendars.length).toBeGreaterThan(1);
  for (const { id } of calendars) {
    const events = await client.drain(`${base}/calendars/${id}/events?$top=100`);
    const delta = await client.drain(`${base}/calendars/${id}/events/delta`);
    expect(delta.value.length).toBe(events.value.length);
    expect(events.value.every(({ type }) => type === 'singleInstance' || type === 'seriesMaster')).toBe(true);
    await client.ask('DELETE', `${base}/events/${events.value[0]?.['id']}`);
    expect((await client.drain(delta.deltaLink ?? '')).value).toMatchObject([{ '@removed': { reason: 'deleted' } }]);
  }
});

test('a view needs a window, and its delta stays within it', async () => {
  expect((await client.get(`${base}/calendarView`)).status).toBe(400);
  const { value } = await client.drain(`${base}/calendarView?${window}&$top=500`);
  const delta = await client.drain(`${base}/calendarView/delta?${window}`, { prefer: 'odata.maxpagesize=50' });
  const instances = delta.value.filter(({ type }) => type !== 'seriesMaster');
  expect(new Set(instances.map(({ id }) => id))).toEqual(new Set(value.map(({ id }) => id)));
  await client.ask('POST', `${base}/events`, { ...weekly, recurrence: null, subject: 'Once' });
  const next = await client.drain(delta.deltaLink ?? '');
  expect(next.value).toMatchObject([{ subject: 'Once', type: 'singleInstance' }]);
});

test('a view reports what was moved out of its window, and cancelled occurrences', async () => {
  const single = await client.ask('POST', `${base}/events`, { ...weekly, recurrence: null });
  const series = await client.ask('POST', `${base}/events`, weekly);
  const first = await client.drain(`${base}/calendarView/delta?${window}`, { prefer: 'odata.maxpagesize=500' });
  const id = textOf(valueAt(single.body, 'id'));
  const away = (hour: string) => ({ dateTime: `2031-01-01T${hour}:00:00`, timeZone: 'UTC' });
  await client.ask('PATCH', `${base}/events/${id}`, { start: away('09'), end: away('10') });
  const seriesId = textOf(valueAt(series.body, 'id'));
  const [occurrence] = (await client.drain(`${base}/events/${seriesId}/instances?${window}`)).value;
  await client.ask('DELETE', `${base}/events/${occurrence?.['id']}`);
  const next = await client.drain(first.deltaLink ?? '');
  const removed = next.value.filter((entity) => '@removed' in entity).map((entity) => entity['id']);
  expect(removed).toEqual([id, occurrence?.['id']]);
  expect(next.value.filter(({ type }) => type === 'occurrence')).toHaveLength(3);
});

test('changing a meeting sends mails to its attendees for what they see, and for nothing else', async () => {
  const mails = () => tenant.tenant.meetingMails.splice(0).map(({ kind, to }) => `${kind} ${to}`);
  mails();
  const guest = (address: string) => ({ emailAddress: { address } });
  const { body } = await client.ask('POST', `${base}/events`, { ...weekly, attendees: [guest('a@x.example')] });
  expect(mails()).toEqual(['invitation a@x.example']);
  const event = `${base}/events/${textOf(valueAt(body, 'id'))}`;
  await client.ask('PATCH', event, { categories: ['Red'], isReminderOn: false, subject: weekly.subject });
  expect(mails()).toEqual([]);
  await client.ask('PATCH', event, { body: { contentType: 'text', content: 'Bring the plan' } });
  expect(mails()).toEqual(['update a@x.example']);
  await client.ask('PATCH', event, { attendees: [guest('b@x.example')] });
  expect(mails()).toEqual(['invitation b@x.example', 'cancellation a@x.example']);
  await client.ask('DELETE', event);
  expect(mails()).toEqual(['cancellation b@x.example']);
});
