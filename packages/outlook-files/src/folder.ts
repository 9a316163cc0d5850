/** The kind of items in a folder; decides which of Outlook's modules shows it (its container class). */
export type FolderKind = 'mail' | 'calendar' | 'contacts' | 'tasks' | 'notes';

export interface FolderOptions {
  /** Default `mail`. */
  kind?: FolderKind;
}
