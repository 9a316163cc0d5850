import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { SearchTexts } from './address/search-text.ts';
import type { Application, Place } from './place.ts';
import type { Portal } from './portal.tsx';
import type { SidebarIcon } from './sidebar-icons.ts';

/** What is known of a visit before anything is drawn. */
export interface Arrival {
  portal: Portal;
  queries: QueryClient;
  search: SearchTexts;
}

/** The code of a screen. */
export interface ScreenCode {
  default: ComponentType;
  /**
   * Asks for what the screen shows first, with the keys of its own hooks, so that the server answers while the page is
   * still being drawn. Called once, where the visit begins at this screen; the screen must work without it.
   */
  prefetch?: (arrival: Arrival) => void;
}

/** The screen's entry in the sidebar of its application, and its shortcut. */
export interface Entry {
  /** The screen's title unless given. */
  label?: string;
  icon: SidebarIcon;
  /** The heading it is listed under; without one, at the top. */
  group?: string;
  /** Second key of the shortcut `g …`; no two in one application are the same. */
  key?: string;
  /** Says on hovering what it is for. */
  hint?: string;
  /** What is counted beside it: things that wait for the user. */
  counts?: 'faults' | 'checks' | 'unassigned' | 'failedJobs' | 'downloads';
  /** In its group it is below the links that lead out of the portal. */
  isBelowLinks?: true;
  /** It is about the user alone: nothing begins with it. */
  isOwn?: true;
}

interface ScreenParts {
  /** In the document's title and read out when the screen opens. */
  title: string;
  entry?: Entry;
  /** Whether the footer is below it: only on the dashboard (specification "portal", part 2). */
  hasFooter?: boolean;
  /** Loads the screen's code when it is first needed: `() => import('./companies.screen.tsx')`. */
  load: () => Promise<ScreenCode>;
}

/**
 * One screen: its place, and what opens there. Guards, sidebar, shortcuts and the code that a visit begins with are derived from it.
 * Every capability lists its own in `routes.ts`; `program/screens.ts` puts the lists together, in the order of the sidebar.
 */
export interface Screen extends Place, ScreenParts {}

/** A screen with an entry in the sidebar. */
export type EntryScreen = Screen & { entry: Entry };

/** Declares what opens at a place. */
export function declareScreen(place: Place, parts: ScreenParts): Screen {
  return { ...place, ...parts };
}

/** The label of a screen in the sidebar. */
export function labelOf({ title, entry }: Screen): string {
  return entry?.label ?? title;
}

/**
 * Where an application begins, of the entries that are open: at the page that the user chose, if it is one of the application, at its landing
 * page, or at the first of its sidebar.
 */
export function startEntryOf(
  entries: readonly EntryScreen[],
  application: Application,
  chosen?: string,
): EntryScreen | undefined {
  const own = entries.filter((screen) => screen.application === application && screen.entry.isOwn !== true);
  return own.find(({ path }) => path === chosen) ?? own.find(({ path }) => path === application.landing) ?? own[0];
}

/** The screens of the sidebar. */
export function entriesOf(screens: readonly Screen[]): EntryScreen[] {
  return screens.filter((screen): screen is EntryScreen => screen.entry !== undefined);
}
