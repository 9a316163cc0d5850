import type { ConnectOrganization, Microsoft365Services } from '../microsoft365-services.ts';

/** What a run of a job is done with. */
export interface RunServices extends Pick<Microsoft365Services, 'database' | 'secrets' | 'stored' | 'log' | 'now'> {
  connect: ConnectOrganization;
}
