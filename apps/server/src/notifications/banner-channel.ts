import type { Channel } from './channel.ts';
import { endBanner, showBanner } from './notifications.ts';

/** Alarms as banners above the pages of an application. The staff shares one, which each of them acknowledges alone. */
export const bannerChannel: Channel = {
  name: 'banner',
  recipientsOf: async () => ['staff'],
  async deliver(connection, delivery) {
    if (delivery.isClosed) await endBanner(connection, delivery);
    else await showBanner(connection, delivery.providerId, delivery);
  },
};
