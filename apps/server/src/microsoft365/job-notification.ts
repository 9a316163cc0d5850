/** Who is mailed when a run of a job ends. */
export interface JobNotification {
  enabled: boolean;
  userIds: readonly string[];
  externalAddresses: readonly string[];
  /** Only of a run that is no Success. */
  notifyOnFailure: boolean;
}
