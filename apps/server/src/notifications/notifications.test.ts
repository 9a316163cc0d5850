import { listNotifications } from '@keepwatch/contract/notifications/notifications';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestPortal, type TestPortal } from '../testing/test-portal.ts';
import { raise } from './notifications.ts';

let portal: TestPortal;
const banner = { app: 'monitoring', message: 'Look at this.', severity: 'info' } as const;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

describe('a banner', () => {
  it('has a link to a page or to an address of the web', async () => {
    const reader = await portal.as('read-only');
    await raise(portal.database, 1, { ...banner, event: 'page', link: '/monitoring/sources' });
    await raise(portal.database, 1, { ...banner, event: 'web', link: 'https://status.example.test' });
    const { data } = await reader.call(listNotifications, { body: { userId: reader.userId } });
    expect(data.map(({ link }) => link).toSorted()).toEqual(['/monitoring/sources', 'https://status.example.test']);
  });

  it('is not raised with a link that would run in the browser', async () => {
    const raised = raise(portal.database, 1, { ...banner, event: 'program', link: 'javascript:alert(1)' });
    await expect(raised).rejects.toThrow('must be an address');
  });
});
