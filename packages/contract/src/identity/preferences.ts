import * as z from 'zod/mini';
import { id, text } from '../wire/fields.ts';

/** Filters of a screen as its address says them: the texts under each name (specification "portal", part 3, persisted filters). */
export const savedFilters = z
  .record(text(40), z.array(text(100)).check(z.maxLength(1_000)))
  .check(z.refine((filters) => Object.keys(filters).length <= 40, 'must have at most 40 filters'));

/** What was chosen in the command palette: the key by which it is found again, and what it was called. */
export const recentChoice = z.strictObject({ key: text(120), label: text(300) });

/** What is stored for a user beside the profile: each key with what may be under it. A screen that saves its filters has a line here. */
export const preferences = z.partial(
  z.strictObject({
    'daily-checks.filters': savedFilters,
    'queue.filters': savedFilters,
    /** The companies that all screens are narrowed to; none: all (specification "portal", part 3, `appFilters.companyIds`). */
    'companies.scope': z.array(id).check(z.maxLength(200)),
    /** Groups of the sidebar that are folded, by application and name. */
    'sidebar.folded': z.array(text(80)).check(z.maxLength(100)),
    /** The newest first. */
    'palette.recent': z.array(recentChoice).check(z.maxLength(8)),
    /** Whether the terms of use of Microsoft 365 were accepted (specification "portal", part 4). */
    'o365.terms-of-use': z.boolean(),
  }),
);
export type Preferences = z.infer<typeof preferences>;
export type PreferenceKey = keyof Preferences;
/** Those that are filters of a screen. */
export type FiltersKey = Extract<PreferenceKey, `${string}.filters`>;
