import { licenceUsage } from './tables.ts';

/** Used licences of companies by month, which a sync writes. */
export const LICENCE_USAGE = licenceUsage;
