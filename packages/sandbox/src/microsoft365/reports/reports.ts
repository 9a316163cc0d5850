/** Settings of a tenant's reports. */
export interface Reports {
  /** Whether names of users, groups and sites leave as hashes, as a tenant can choose to. */
  concealsNames: boolean;
}
