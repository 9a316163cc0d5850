import type { ItemKind } from '@keepwatch/engine/engine';

/** Folders are shown as what vanished, too: a folder is restored with one press. */
export const CONTAINERS: readonly ItemKind[] = [
  'folder',
  'mail-folder',
  'calendar',
  'contact-folder',
  'task-list',
  'channel',
  'chat',
];
