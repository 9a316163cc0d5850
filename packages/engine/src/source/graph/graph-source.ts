import { EngineError } from '../../model/engine-error.ts';
import type { OnEvent } from '../../model/engine-event.ts';
import type { ObjectKind, ProtectedObject } from '../../model/protected-object.ts';
import type { ListingNote, ReadRequest, Source, SourceEvent } from '../source.ts';
import { readArchive } from './archive/read-archive.ts';
import { readChats } from './chats/read-chats.ts';
import type { GraphConnection } from './connection.ts';
import { readDrive } from './drive/read-drive.ts';
import { isOfGroup } from './group/group-owner.ts';
import { readGroup } from './group/read-group.ts';
import { listObjects } from './list/list-objects.ts';
import { readMailbox } from './mailbox/read-mailbox.ts';
import { readPlanner } from './planner/read-planner.ts';
import type { GraphSourceOptions, ObjectReader } from './reader.ts';
import { ReadingFailures } from './reading-failures.ts';
import { readSite } from './site/read-site.ts';
import { readTeam } from './team/read-team.ts';

/** Who reads objects of a kind. */
const READERS: Partial<Record<ObjectKind, ObjectReader>> = {
  mailbox: (reading) => (isOfGroup(reading.request.object) ? readGroup(reading) : readMailbox(reading)),
  archive: readArchive,
  drive: readDrive,
  site: readSite,
  team: readTeam,
  chats: readChats,
  planner: readPlanner,
};

/** Microsoft 365 as a source. Sources of one tenant share its connection, and so its budgets. */
export function openGraphSource(connection: GraphConnection, options: GraphSourceOptions = {}): Source {
  return new GraphSource(connection, options);
}

class GraphSource implements Source {
  private readonly connection: GraphConnection;
  private readonly options: GraphSourceOptions;

  constructor(connection: GraphConnection, options: GraphSourceOptions) {
    this.connection = connection;
    this.options = options;
  }

  get organizationId(): string {
    return this.connection.tenantId;
  }

  listObjects(...given: Parameters<Source['listObjects']>): AsyncIterable<ProtectedObject | ListingNote> {
    return listObjects(this.connection, ...given);
  }

  read(request: ReadRequest): AsyncIterable<SourceEvent> {
    const { kind } = request.object;
    const reader = READERS[kind];
    if (reader === undefined)
      throw new EngineError(
        'bad-request',
        `Objects of the kind ${kind} cannot be read from Microsoft 365 by this version.`,
      );
    const { connection, options } = this;
    return reader({ connection, request, options, failures: new ReadingFailures(connection, request) });
  }

  skewMs(): number | null {
    return this.connection.skewMs;
  }

  async askTime(signal: AbortSignal): Promise<void> {
    // Any answer shows it, a refusal too.
    if (this.connection.skewMs === null) await this.connection.ask({ path: '/users?$top=1&$select=id', signal });
  }

  reportingTo(onEvent: OnEvent): Source {
    return new GraphSource(this.connection.reportingTo(onEvent), this.options);
  }

  async close(): Promise<void> {}
}
