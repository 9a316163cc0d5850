import type { DOWNLOAD_STATES } from '@keepwatch/contract/restore/downloads';
import type { StoredScope } from '../sessions/stored-scope.ts';

export type DownloadState = (typeof DOWNLOAD_STATES)[number];
export type DownloadFormat = 'pst' | 'zip' | 'msg' | 'eml';

/** What is in a file that is downloaded, and how. */
export interface DownloadOrder {
  scope: StoredScope;
  format: DownloadFormat;
  /** Of a ZIP of a mailbox. */
  messagesAs: 'eml' | 'msg';
  /** Of a PST: items alone in whose name, people or attachments it occurs. */
  keyword: string | null;
}

export interface DownloadProgress {
  items: number;
  totalItems: number | null;
  bytes: number;
}

export const MEDIA_TYPES = {
  pst: 'application/vnd.ms-outlook',
  zip: 'application/zip',
  msg: 'application/vnd.ms-outlook-message',
  eml: 'message/rfc822',
} as const satisfies Readonly<Record<DownloadFormat, string>>;
