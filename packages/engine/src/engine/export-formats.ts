/** What items can be written as. A ZIP of a mailbox has a file for each item, EML or MSG. */
export const EXPORT_FORMATS = ['pst', 'msg', 'eml', 'zip', 'csv', 'json'] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];
