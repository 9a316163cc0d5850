import { brand, brands } from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

export const brandingScreens: readonly Screen[] = [
  declareScreen(brands, {
    title: 'Brands',
    entry: { icon: 'world', key: 'b' },
    load: () => import('./brands.screen.tsx'),
  }),
  declareScreen(brand, { title: 'Brand', load: () => import('./brand.screen.tsx') }),
];
