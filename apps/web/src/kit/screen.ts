import type { Ability } from '@keepwatch/contract/abilities';
import type { ComponentType } from 'react';

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
  /** Loads the screen's code when it is first needed: `() => import('./companies.screen.tsx')`. */
  load: () => Promise<{ default: ComponentType }>;
}

/** Where the sidebar leads. */
export interface NavigationEntry {
  label: string;
  icon: ComponentType<{ size?: number | string; stroke?: number | string; 'aria-hidden'?: boolean }>;
  path: `/${string}`;
  ability: Ability | readonly Ability[];
  /** Heading under which it stands; none: at the top. */
  group?: string;
  /** Second key of the shortcut `g …`. */
  key?: string;
}
