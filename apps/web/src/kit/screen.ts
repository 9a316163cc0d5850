import type { Ability } from '@keepwatch/contract/abilities';
import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { Portal } from './portal.tsx';
import type { SearchTexts } from './search-text.ts';

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

/**
 * One screen and its address. Every capability lists its own in `routes.ts`; `program/screens.ts` puts the lists together.
 */
export interface Screen {
  /** From the root, parameters as `$name`: `/monitoring/daily-checks`, `/setup/$token`. */
  path: `/${string}`;
  /** In the document's title and read out when the screen opens. */
  title: string;
  /**
   * Who may open it: `signed-out` users only (others are sent to the start), any `signed-in` user, or holders of the
   * ability (of one of them, if a list).
   */
  access: 'signed-out' | 'signed-in' | Ability | readonly Ability[];
  /** Whether the footer is below it: only on the dashboard (specification "portal", part 2). */
  hasFooter?: boolean;
  /** Loads the screen's code when it is first needed: `() => import('./companies.screen.tsx')`. */
  load: () => Promise<ScreenCode>;
}

/** Where the sidebar leads. */
export interface NavigationEntry {
  label: string;
  icon: ComponentType<{ size?: number | string; stroke?: number | string; 'aria-hidden'?: boolean }>;
  path: `/${string}`;
  ability: Ability | readonly Ability[];
  /** The heading it is listed under; without one, at the top. */
  group?: string;
  /** Second key of the shortcut `g …`. */
  key?: string;
}
