/** What is remembered of an organization beside its columns; no secrets. */
export interface OrganizationSettings {
  /** The person who was named as its administrator. */
  account?: string;
  sharePointSaveAllWebParts?: boolean;
}
