import type { ReadRequest, SourceEvent } from '../source.ts';
import type { GraphConnection } from './connection.ts';
import type { ReadingFailures } from './reading-failures.ts';

/** Reads objects of one kind: the contract is `Source.read`. */
export type ObjectReader = (reading: Reading) => AsyncIterable<SourceEvent>;

export interface Reading {
  connection: GraphConnection;
  request: ReadRequest;
  options: GraphSourceOptions;
  failures: ReadingFailures;
}

export interface GraphSourceOptions {
  /** Whether mail, events, contacts and tasks are also stored in the mail server's own form, where the tenant gives it out. Default: true. */
  keepExchangeStream?: boolean;
  /**
   * How many earlier versions of a file or a list row are stored with it, besides those that earlier backups made. Default: all. With 0 a file costs
   * no request for the list of its versions (2 of SharePoint's resource units).
   */
  earlierVersions?: number;
  /**
   * Whether messages that users removed from Deleted Items are backed up too, for as long as the mail server keeps them to be recovered.
   * Default: false. Once no job of the mailbox asks for them, its next restore points do not contain them.
   */
  recoverableItems?: boolean;
}
