import { bannerChannel } from './banner-channel.ts';
import type { Channel } from './channel.ts';

export const CHANNELS: readonly Channel[] = [bannerChannel];
