import { mix, textHash, uid } from '../../world/random.ts';
import type { Group } from '../directory/group.ts';
import { Drive } from '../drives/drive.ts';
import type { Drives } from '../drives/drives.ts';
import { type DriveStory, fillDrive } from '../drives/fill-drive.ts';
import type { Person } from '../drives/identity-set.ts';
import { driveIdOf } from '../drives/items/item-id.ts';
import type { TenantFacts } from '../tenant-facts.ts';
import { fillPages } from './fill-pages.ts';
import { libraryPermissions } from './library-permissions.ts';
import { type ContentType, copyOf, documentType, folderType, pageType } from './lists/content-type.ts';
import { fillLists } from './lists/fill-lists.ts';
import { SiteList } from './lists/site-list.ts';
import { standardColumns } from './lists/standard-columns.ts';
import { Site, type SiteFacts } from './site.ts';
import type { Sites } from './sites.ts';

const terabyte = 1_099_511_627_776;
const dayMs = 86_400_000;

interface LibraryOptions {
  person?: Person | undefined;
  hasRarities?: boolean;
  /** One for internal use of the server, such as for the pictures of pages. */
  isSystem?: boolean;
}

/** Makes sites as the world has them, and later those of groups and users that come into being. */
export class SiteBuilder {
  readonly sites: Sites;
  private readonly facts: TenantFacts;
  private readonly drives: Drives;
  /** Those of the beginning: a drive is filled when it is first looked at, and has to be the same however late that is. */
  private people: readonly Person[] | undefined;
  private isFirstPerson = true;
  private firstShared: { driveId: string; itemId: string; siteId: string } | undefined;

  constructor(facts: TenantFacts, sites: Sites, drives: Drives) {
    this.facts = facts;
    this.sites = sites;
    this.drives = drives;
  }

  root(): void {
    const { displayName } = this.facts;
    const facts = { path: '', name: '', displayName, description: '', template: 'Communication Site' };
    const site = this.site(this.sites.hostname, facts);
    this.library(site, 'Shared Documents', 'Documents', 0);
  }

  /** The root site of another geography, and a site there. */
  satellite(dataLocationCode: string): void {
    const host = this.sites.hostname.replace('.', `-${dataLocationCode.toLowerCase()}.`);
    const common = { description: '', template: 'Team Site', dataLocationCode };
    this.site(host, { ...common, path: '', name: '', displayName: `${this.facts.displayName} ${dataLocationCode}` });
    const site = this.site(host, { ...common, path: '/sites/sydney', name: 'sydney', displayName: 'Sydney' });
    this.library(site, 'Shared Documents', 'Documents', this.scaled(6), { person: this.drives.people.users()[0] });
  }

  /** A user's OneDrive: a site of its own with one library. */
  personal(person: Person): Drive {
    const name = person.userPrincipalName.replace(/[^A-Za-z0-9]/g, '_');
    const facts = {
      path: `/personal/${name}`,
      name,
      displayName: person.displayName,
      description: '',
      template: 'Personal',
      ownerId: person.id,
    };
    const site = this.site(this.sites.personalHostname, facts);
    const isFirst = this.isFirstPerson;
    this.isFirstPerson = false;
    const isHuge = isFirst && this.facts.size === 'large';
    const fileCount = isHuge ? 20_000 : this.scaled(isFirst ? 60 : 24);
    const drive = this.library(site, 'Documents', 'OneDrive', fileCount, { person, hasRarities: isFirst });
    this.drives.add(drive, person.id);
    return drive;
  }

  /** A group's site with its library, lists and pages; files that people put there are the world's own alone. */
  group({ id, displayName, description, mailNickname, ownerIds }: Group, isNew = false): Site {
    const owner = this.drives.people.user(ownerIds[0] ?? '');
    const facts = {
      path: `/sites/${mailNickname}`,
      name: mailNickname,
      displayName,
      description: description ?? '',
      template: 'Group',
      groupId: id,
    };
    const site = this.site(this.sites.hostname, facts);
    const drive = this.library(site, 'Shared Documents', 'Documents', isNew ? 0 : this.scaled(18), { person: owner });
    this.pages(site, isNew ? 1 : 3);
    if (!isNew) fillLists(this.story(site), (list) => site.lists.set(list.facts.id, list));
    this.firstShared ??= { driveId: drive.facts.id, itemId: drive.root.id, siteId: site.id };
    return site;
  }

  /** The site of a private or shared channel, which has a library of its own. */
  channel(groupId: string, channelName: string, key: string): Site {
    const of = this.sites.ofGroup(groupId);
    const name = `${of?.facts.name ?? groupId}-${key}`;
    const displayName = `${of?.facts.displayName ?? ''}-${channelName}`;
    const site = this.site(this.sites.hostname, {
      path: `/sites/${name}`,
      name,
      displayName,
      description: '',
      template: 'Team Channel',
    });
    this.library(site, 'Shared Documents', 'Documents', 0);
    return site;
  }

  intranet(): void {
    const facts = {
      path: '/sites/intranet',
      name: 'intranet',
      displayName: 'Intranet',
      description: 'News for everyone',
    };
    const site = this.site(this.sites.hostname, { ...facts, template: 'Communication Site' });
    this.library(site, 'Shared Documents', 'Documents', this.scaled(12));
    this.library(site, 'Policies', 'Policies', this.scaled(6));
    this.library(site, 'SiteAssets', 'Site Assets', 3, { isSystem: true });
    this.pages(site, 5);
    fillLists(this.story(site), (list) => site.lists.set(list.facts.id, list));
    const below = {
      path: '/sites/intranet/canteen',
      name: 'canteen',
      displayName: 'Canteen',
      description: '',
      template: 'Team Site',
    };
    this.library(this.site(this.sites.hostname, below, site), 'Shared Documents', 'Documents', 4);
  }

  private site(
    hostname: string,
    given: Omit<SiteFacts, 'hostname' | 'siteId' | 'webId' | 'createdMs'>,
    parent?: Site,
  ): Site {
    const seed = textHash(hostname + given.path);
    const { seed: world, madeMs } = this.facts;
    const siteId = parent?.facts.siteId ?? uid(world, seed, 701);
    const createdMs = madeMs - 800 * dayMs;
    const site = new Site({ ...given, hostname, siteId, webId: uid(world, seed, 702), createdMs }, parent);
    this.sites.add(site);
    return site;
  }

  private library(
    site: Site,
    name: string,
    displayName: string,
    fileCount: number,
    { person, hasRarities = false, isSystem = false }: LibraryOptions = {},
  ): Drive {
    const ofSite = this.story(site);
    const list = this.libraryList(
      site,
      name,
      displayName,
      'documentLibrary',
      [documentType, folderType],
      person,
      (drive) => {
        // Of several pieces in any case; a small tenant is for those who read all of it again and again.
        const largestBytes = this.facts.size === 'small' ? 36e6 : 300e6;
        const story: DriveStory = { ...ofSite, seed: drive.facts.seed, fileCount, hasRarities, largestBytes };
        const { firstShared } = this;
        const shortcut = site.isPersonal && firstShared ? { shortcut: firstShared } : {};
        if (fileCount > 0) fillDrive(drive, { ...story, ...shortcut });
      },
    );
    const behind = site.lists.get(list.facts.site.listId);
    if (behind) behind.facts.isSystem = isSystem;
    return list;
  }

  private pages(site: Site, count: number): void {
    this.libraryList(site, 'SitePages', 'Site Pages', 'webPageLibrary', [pageType, folderType], undefined, undefined);
    fillPages(site, this.story(site), count, this.drives.contents);
  }

  private libraryList(
    site: Site,
    name: string,
    displayName: string,
    template: string,
    types: readonly ContentType[],
    person: Person | undefined,
    fill: ((drive: Drive) => void) | undefined,
  ): Drive {
    const { siteId, webId, hostname, createdMs } = site.facts;
    const seed = mix(this.facts.seed, textHash(site.webUrl + name), 711);
    const listId = uid(seed, 712);
    const by = person ? { user: { id: person.id, displayName: person.displayName } } : systemAccount;
    const library = { siteId, webId, listId, siteUrl: site.webUrl, hostname };
    const drive = new Drive(
      {
        id: driveIdOf(siteId, webId, listId),
        driveType: site.isPersonal ? 'business' : 'documentLibrary',
        name: displayName,
        description: '',
        owner: by,
        webUrl: `${site.webUrl}/${encodeURIComponent(name)}`,
        createdMs,
        site: library,
        quotaTotal: site.isPersonal ? terabyte : 25 * terabyte,
        permissions: libraryPermissions(site, person),
        seed,
      },
      fill,
    );
    const facts = { id: listId, name, displayName, description: '', template, createdBy: by, createdMs, seed };
    const columns = standardColumns(true, (number) => uid(seed, number, 713));
    const own = types.map((type, at) => copyOf(type, uid(seed, at, 714)));
    const flags = { hidden: template === 'webPageLibrary', isSystem: false, contentTypesEnabled: false };
    site.lists.set(listId, new SiteList({ ...facts, ...flags }, columns, own, drive));
    this.drives.add(drive);
    return drive;
  }

  private story(site: Site) {
    const { madeMs, seed } = this.facts;
    this.people ??= this.drives.people.users();
    return { seed: mix(seed, textHash(site.webUrl), 721), people: this.people, madeMs };
  }

  private scaled(count: number): number {
    const factor = { empty: 0, small: 1, medium: 1, large: 4 }[this.facts.size];
    return count * factor;
  }
}

const systemAccount = { user: { id: '', displayName: 'System Account' } };
