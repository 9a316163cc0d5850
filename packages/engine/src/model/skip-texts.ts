import type { SkipCause } from './outcome.ts';

/** Why an item has no bytes, or is not backed up, as people read it. */
export const SKIP_TEXTS: Readonly<Record<SkipCause, string>> = {
  protected: 'its protection lets no program read it',
  malware: 'Microsoft 365 marks it as malware and does not give it out',
  package: 'a OneNote notebook has no bytes of its own, and its sections are backed up',
  link: 'it is a link to another drive, and is backed up there',
  shared: 'another person shares it, and it is backed up with that person',
  excluded: 'the job excludes it',
};

/** The text of a cause as an item carries it, which another version of this program may have written. */
export function skipText(cause: string): string {
  const [, text] = Object.entries(SKIP_TEXTS).find(([known]) => known === cause) ?? [];
  return text ?? cause;
}
