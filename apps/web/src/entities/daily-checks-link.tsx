import type { Ability } from '@keepwatch/contract/abilities';
import type { DataSourceGroup, Result, State } from '@keepwatch/contract/runs/values';
import type { ReactNode } from 'react';
import { useAllows } from '../kit/portal.tsx';
import { ScreenLink } from '../kit/screen-link.tsx';

/** What the daily checks show. Omitted values have the defaults of the specification: pending, last 2 days. */
export interface DailyChecksFilter {
  /** Text that names a date range, or `ANY_TIME` of the latest runs. */
  date?: string;
  /** One UTC day (`2026-01-31`) or a range of them (`2026-01-25..2026-01-31`), as the reports count them; goes before `date`. */
  day?: string;
  company?: readonly string[];
  source?: readonly DataSourceGroup[];
  result?: readonly Result[];
  state?: State | 'all';
  /** Also runs that were ignored. */
  ignored?: boolean;
  /** Only the run that gives each job its current status. */
  latest?: boolean;
  /** Only runs that may belong to several jobs of one name. */
  unassigned?: boolean;
  /** `jobInstanceUid`s. */
  job?: readonly string[];
}

/** Whenever runs were: of each job there is one latest run, so that no range has to bound them. */
export const ANY_TIME = 'Any Time';

/** The run that gives each job its current status, as reports count jobs by last result. It may be older than any range. */
export const STATUS = { state: 'all', ignored: true, latest: true, date: ANY_TIME } satisfies DailyChecksFilter;

export const DAILY_CHECKS_PATH = '/monitoring/daily-checks';
export const DAILY_CHECKS_ABILITY = 'monitoring.daily-checks';

/** A screen with its filters, and what it asks for. */
export interface Target {
  to: `/${string}`;
  search: Readonly<Record<string, string | readonly string[]>>;
  ability: Ability;
}

/** The screen of the companies: what those can open who may not open the daily checks. */
export function companiesTarget(search: Target['search']): Target {
  return { to: '/monitoring/companies', search, ability: 'common.companies' };
}

interface DailyChecksLinkProps {
  filter: DailyChecksFilter;
  /** Where it leads those who may not open the daily checks; nowhere unless given. */
  otherwise?: Target | undefined;
  className?: string | undefined;
  title?: string;
  children: ReactNode;
}

/** Leads from a figure to the runs behind it. */
export function DailyChecksLink({ filter, otherwise, className, title, children }: DailyChecksLinkProps) {
  const mayOpen = useAllows(DAILY_CHECKS_ABILITY);
  const runs: Target = { to: DAILY_CHECKS_PATH, search: dailyChecksSearch(filter), ability: DAILY_CHECKS_ABILITY };
  const target = mayOpen ? runs : (otherwise ?? runs);
  return (
    <ScreenLink {...target} className={className} {...(title === undefined ? {} : { title })}>
      {children}
    </ScreenLink>
  );
}

/** Returns the filter as the address of the daily checks has it. */
export function dailyChecksSearch(filter: DailyChecksFilter): Record<string, string | readonly string[]> {
  const flags = {
    ignored: flagText(filter.ignored),
    latest: flagText(filter.latest),
    unassigned: flagText(filter.unassigned),
  };
  const texts = Object.entries({ ...filter, ...flags });
  return Object.fromEntries(texts.filter(([, value]) => value !== undefined && value.length > 0));
}

/** Off at first, and then not in the address. */
function flagText(isOn = false): string {
  return isOn ? 'true' : '';
}
