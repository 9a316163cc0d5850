/** What of the open item is restored or downloaded. */
export interface ItemAct {
  kind: 'restore' | 'download';
  name: string;
  /** Of a file: the label of the version that SharePoint stored with it, which becomes the current one. */
  earlierVersion?: string;
  /** The restore point that has it; without: the one that is looked at. */
  at?: string;
}
