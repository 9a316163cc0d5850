import type { ComponentType } from 'react';

interface ProfileSection {
  title: string;
  /** Lazy: most visits are about something else. */
  Section: ComponentType;
}

/** What else a user finds on the profile page, each with a heading, below the details and the looks. */
export const PROFILE_SECTIONS: readonly ProfileSection[] = [];
