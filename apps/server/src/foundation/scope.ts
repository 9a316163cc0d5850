import { type SQL, sql } from 'drizzle-orm';

/**
 * What a signed-in user may access: one provider, and all or some of its companies. Every function that reads tenant data
 * requires a scope; there is no other way to that data.
 */
export class Scope {
  readonly providerId: number;
  /** `null`: all companies of the provider, also rows that belong to no company. */
  readonly companyIds: readonly string[] | null;

  constructor(providerId: number, companyIds: readonly string[] | null) {
    this.providerId = providerId;
    this.companyIds = companyIds;
  }

  /** The condition that limits a table's rows to the scope: its columns `provider_id` and `company_id`. */
  rows(alias: string): SQL {
    const table = sql.identifier(alias);
    const ofProvider = sql`${table}.provider_id = ${this.providerId}`;
    if (this.companyIds === null) return ofProvider;
    return sql`${ofProvider} and ${table}.company_id = any(${sql.param(this.companyIds)}::uuid[])`;
  }

  /** The same for the table of companies itself, whose id is `id`. */
  companies(alias: string): SQL {
    const table = sql.identifier(alias);
    const ofProvider = sql`${table}.provider_id = ${this.providerId}`;
    if (this.companyIds === null) return ofProvider;
    return sql`${ofProvider} and ${table}.id = any(${sql.param(this.companyIds)}::uuid[])`;
  }

  /** This scope, narrowed to companies that a filter names. Names outside the reach narrow to nothing. */
  narrowedTo(companyIds: readonly string[] | undefined): Scope {
    if (companyIds === undefined || companyIds.length === 0) return this;
    const reach = this.companyIds;
    const within = reach === null ? companyIds : companyIds.filter((id) => reach.includes(id.toLowerCase()));
    return new Scope(
      this.providerId,
      within.map((id) => id.toLowerCase()),
    );
  }
}
