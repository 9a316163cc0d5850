/** Why an item was left alone; nothing is skipped for another reason. */
export const SKIP_REASONS = {
  unchanged: 'It is there, unchanged.',
  exists: 'It is there, and was to be left alone.',
  'only-missing': 'It is there, and only what is missing was asked for.',
  'only-changed': 'It is not there, and only what changed was asked for.',
  'no-bytes': 'It has no bytes of its own.',
  'not-restorable': 'Only the vendor can write it.',
  roles: 'Roles of persons and groups are backed up and exported, and not restored.',
  elsewhere: 'Settings go back into their own mailbox alone, and into no folder.',
} as const;

export type SkipReason = keyof typeof SKIP_REASONS;
