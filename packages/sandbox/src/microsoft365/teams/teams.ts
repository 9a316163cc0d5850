import type { Team } from './team.ts';

/** The creation of a team, as its operation reports it. */
export interface TeamOperation {
  id: string;
  teamId: string;
  createdMs: number;
  /** Polls of its status; at the first one it is in progress. */
  polls: number;
}

/** The teams of a tenant, by the ids of their groups, and the making of them. */
export class Teams {
  readonly operations = new Map<string, TeamOperation>();
  private readonly byId = new Map<string, Team>();

  find(id: string): Team | undefined {
    return this.byId.get(id);
  }

  put(team: Team): void {
    this.byId.set(team.id, team);
  }
}
