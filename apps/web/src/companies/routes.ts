import { companies, companyPage } from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

export const companiesScreens: readonly Screen[] = [
  declareScreen(companies, {
    title: 'Companies',
    entry: { icon: 'building', key: 'm' },
    load: () => import('./companies.screen.tsx'),
  }),
  declareScreen(companyPage, { title: 'Company', load: () => import('./page/company.screen.tsx') }),
];
