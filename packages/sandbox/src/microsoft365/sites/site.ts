import type { Identity } from '../drives/identity-set.ts';
import type { Column } from './lists/column.ts';
import { type ContentType, siteTypes } from './lists/content-type.ts';
import type { SiteList } from './lists/site-list.ts';
import type { Page } from './page.ts';

export interface SiteFacts {
  /** Such as `contoso.sharepoint.com`. */
  hostname: string;
  /** Site collection and web, GUIDs. */
  siteId: string;
  webId: string;
  /** Below the host, such as `/sites/finance`; empty for the root site. */
  path: string;
  name: string;
  displayName: string;
  description: string;
  createdMs: number;
  /** The geography of a site collection elsewhere than the tenant's default, such as `APC`. */
  dataLocationCode?: string;
  /** Such as `Group`, `Team Site`, `Communication Site`; a personal site is `Personal`. */
  template: string;
  /** The user of a personal site. */
  ownerId?: string;
  /** The group of a group's site. */
  groupId?: string;
}

/** An application's permission on one site (`Sites.Selected`). */
export interface SitePermission {
  id: string;
  roles: string[];
  applications: Identity[];
}

export class Site {
  facts: SiteFacts;
  readonly parent: Site | undefined;
  readonly lists = new Map<string, SiteList>();
  readonly columns: Column[] = [];
  readonly contentTypes: ContentType[] = [...siteTypes];
  /** By the GUID of the file in the pages library. */
  readonly pages = new Map<string, Page>();
  permissions: SitePermission[] = [];
  modifiedMs: number;

  constructor(facts: SiteFacts, parent?: Site) {
    this.facts = facts;
    this.parent = parent;
    this.modifiedMs = facts.createdMs;
  }

  /** The vendor's composite id. */
  get id(): string {
    const { hostname, siteId, webId } = this.facts;
    return `${hostname},${siteId},${webId}`;
  }

  get webUrl(): string {
    return `https://${this.facts.hostname}${this.facts.path.split('/').map(encodeURIComponent).join('/')}`;
  }

  get isPersonal(): boolean {
    return this.facts.ownerId !== undefined;
  }

  /** The library that is the site's drive. */
  get defaultLibrary(): SiteList | undefined {
    return this.lists.values().find(({ drive, facts }) => drive && facts.template === 'documentLibrary');
  }

  get pagesLibrary(): SiteList | undefined {
    return this.lists.values().find(({ facts }) => facts.template === 'webPageLibrary');
  }
}
