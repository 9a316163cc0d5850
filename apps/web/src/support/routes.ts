import {
  downloads,
  o365SupportDownloads,
  o365SupportLive,
  o365SupportRequest,
  supportLive,
  supportRequest,
} from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

const group = 'Support';

/** In the order of the sidebar (specification "portal", part 2). */
export const supportScreens: readonly Screen[] = [
  ...[supportRequest, o365SupportRequest].map((place) =>
    declareScreen(place, {
      title: 'Support request',
      entry: { label: 'Request', icon: 'mail', group, key: 'n' },
      load: () => import('./request.screen.tsx'),
    }),
  ),
  ...[supportLive, o365SupportLive].map((place) =>
    declareScreen(place, {
      title: 'Live support',
      entry: { label: 'Live', icon: 'messages', group },
      load: () => import('./live.screen.tsx'),
    }),
  ),
  ...[downloads, o365SupportDownloads].map((place) =>
    declareScreen(place, {
      title: 'Downloads',
      entry: { icon: 'download', group },
      load: () => import('./downloads.screen.tsx'),
    }),
  ),
];
