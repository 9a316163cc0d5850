import {
  downloads,
  o365SupportDownloads,
  o365SupportLive,
  o365SupportRequest,
  supportLive,
  supportRequest,
} from '../entities/places.ts';
import type { Place } from '../kit/place.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

const group = 'Support';

/** In the order of the sidebar (specification "portal", part 2). */
export const supportScreens: readonly Screen[] = [
  ...[supportRequest, o365SupportRequest].map((place) =>
    declareScreen(place, {
      title: 'Support request',
      entry: { label: 'Request', icon: 'mail', group, key: 'n' },
      load: screen('SupportRequest'),
    }),
  ),
  live(supportLive, 'i'),
  live(o365SupportLive, 'l'),
  offered(downloads, 'o'),
  offered(o365SupportDownloads, 'd'),
];

function screen(name: 'SupportRequest' | 'LiveSupport' | 'Downloads') {
  return async () => ({ default: (await import('./support-screens.ts'))[name] });
}

function live(place: Place, key: string): Screen {
  return declareScreen(place, {
    title: 'Live support',
    entry: { label: 'Live', icon: 'messages', group, key },
    load: screen('LiveSupport'),
  });
}

function offered(place: Place, key: string): Screen {
  return declareScreen(place, {
    title: 'Downloads',
    entry: { icon: 'download', group, key },
    load: screen('Downloads'),
  });
}
