import { acknowledgeNotification, listNotifications } from '@keepwatch/contract/notifications/notifications';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../foundation/secrets.ts';
import { buildCompany } from '../testing/builders.ts';
import { type Caller, startTestPortal, type TestPortal } from '../testing/test-portal.ts';
import { showBanner } from './notifications.ts';

let portal: TestPortal;
/** Shows a banner to the staff of the first provider. */
function show(given: { event: string; link?: string }): Promise<void> {
  const banner = { app: 'monitoring', message: 'Look at this.', severity: 'info' } as const;
  return showBanner(portal.database, 1, { id: newId(), ...banner, ...given });
}

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

describe('a banner', () => {
  it('has a link to a page or to an address of the web', async () => {
    const reader = await portal.as('read-only');
    await show({ event: 'page', link: '/monitoring/sources' });
    await show({ event: 'web', link: 'https://status.example.test' });
    const { data } = await reader.call(listNotifications, { body: { userId: reader.userId } });
    expect(data.map(({ link }) => link).toSorted()).toEqual(['/monitoring/sources', 'https://status.example.test']);
  });

  it('is not shown with a link that would run in the browser', async () => {
    const shown = show({ event: 'program', link: 'javascript:alert(1)' });
    await expect(shown).rejects.toThrow('must be an address');
  });
});

describe('a user with the role sub-sp', () => {
  it('200: is asked in the Microsoft 365 application to invite others, with the link to do so', async () => {
    const reseller = await portal.as(['sub-sp', 'o365_admin']);
    const { userId } = reseller;
    const notices = async (caller: Caller) =>
      (await caller.call(listNotifications, { body: { userId: caller.userId } })).data.filter(
        ({ app }) => app === 'o365',
      );
    expect(await notices(reseller)).toEqual([
      {
        ...{ _id: userId, userId, app: 'o365', event: 'sub-sp.invite-users', severity: 'info', link: null },
        ...{ message: 'Please invite users to join', hideAck: true, hideClose: true },
        copy: `https://portal.test/o365/register/${userId}`,
      },
    ]);
    const acknowledging = { notificationId: userId, userId, event: 'sub-sp.invite-users', username: reseller.username };
    expect((await reseller.send(acknowledgeNotification, { body: acknowledging })).status).toBe(404);
    expect(await notices(reseller)).toHaveLength(1);
    expect(await notices(await portal.as('o365_admin'))).toEqual([]);
  });
});

describe('POST notifications/ack', () => {
  const shownTo = async (caller: Caller, event: string) =>
    (await caller.call(listNotifications, { body: { userId: caller.userId } })).data.find(
      (notification) => notification.event === event,
    );
  const acknowledged = ({ userId, username }: Caller, notificationId: string) => ({
    body: { notificationId, userId, username, event: 'ack' },
  });

  it('200: does not show the banner to this user again, also when acknowledged twice; others still see it', async () => {
    const [reader, colleague] = [await portal.as('read-only'), await portal.as('read-only')];
    await show({ event: 'acknowledged' });
    const id = (await shownTo(reader, 'acknowledged'))?._id ?? '';
    await reader.call(acknowledgeNotification, acknowledged(reader, id));
    await reader.call(acknowledgeNotification, acknowledged(reader, id));
    expect(await shownTo(reader, 'acknowledged')).toBeUndefined();
    expect(await shownTo(colleague, 'acknowledged')).toMatchObject({ _id: id });
  });

  it('404: is not done for a banner of the whole provider by who is limited to a company, and is not shown it', async () => {
    const limited = await portal.as('read-only', { companyIds: [await buildCompany(portal.database)] });
    const reader = await portal.as('read-only');
    await show({ event: 'of-all' });
    const id = (await shownTo(reader, 'of-all'))?._id ?? '';
    expect(await shownTo(limited, 'of-all')).toBeUndefined();
    expect((await limited.send(acknowledgeNotification, acknowledged(limited, id))).status).toBe(404);
  });

  it('404: is not done for a banner of the whole provider by a restore operator, and is not shown it', async () => {
    const operator = await portal.as('restore-operator');
    const both = await portal.as(['restore-operator', 'read-only']);
    await show({ event: 'of-staff' });
    const id = (await shownTo(both, 'of-staff'))?._id ?? '';
    expect(await shownTo(operator, 'of-staff')).toBeUndefined();
    expect((await operator.send(acknowledgeNotification, acknowledged(operator, id))).status).toBe(404);
  });

  it('404: is not done for another user, nor for a banner of another provider or an unknown one', async () => {
    const [reader, colleague] = [await portal.as('read-only'), await portal.as('read-only')];
    const stranger = await portal.as('read-only', { providerId: 2 });
    await show({ event: 'unread' });
    const id = (await shownTo(reader, 'unread'))?._id ?? '';
    const refused = [
      await reader.send(acknowledgeNotification, acknowledged(colleague, id)),
      await stranger.send(acknowledgeNotification, acknowledged(stranger, id)),
      await reader.send(acknowledgeNotification, acknowledged(reader, '00000000-0000-4000-8000-000000000000')),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await shownTo(colleague, 'unread')).toMatchObject({ _id: id });
  });
});
