import { createHash } from 'node:crypto';
import { mix, whole } from '../../world/random.ts';
import { officeE3 } from '../directory/products.ts';
import type { User } from '../directory/user.ts';
import type { Site } from '../sites/site.ts';
import { allTeams } from '../teams/team-making.ts';
import type { Tenant } from '../tenant.ts';
import { reportColumns } from './report-columns.ts';
import type { ReportRow } from './report-table.ts';

/** A report: its columns in the documented order, and its rows. */
export interface UsageReport {
  header: readonly string[];
  rows: (tenant: Tenant, period: string) => ReportRow[];
}

const dayMs = 86_400_000;
const gigabyte = 1_073_741_824;

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Reports are two days old, as at the vendor. */
const refreshDay = (tenant: Tenant) => dayOf(tenant.nowMs() - 2 * dayMs);

/** A name as it leaves: a hash of it while the tenant conceals names. */
function shown(tenant: Tenant, name: string): string {
  return tenant.reports.concealsNames ? createHash('md5').update(name).digest('hex').toUpperCase() : name;
}

const isLicensed = ({ skuIds }: User) => skuIds.includes(officeE3.skuId);

function lastDay(tenant: Tenant, user: User, salt: number): string {
  return user.accountEnabled
    ? dayOf(tenant.nowMs() - whole(2, 30, mix(tenant.seed, salt), user.createdMs % 1000) * dayMs)
    : '';
}

const daysOf = (period: string) => period.replace(/^D/, '');

function activeUsers(tenant: Tenant): ReportRow[] {
  return tenant.directory.users.map((user) => {
    const hasOffice = isLicensed(user);
    const hasMail = user.skuIds.length > 0;
    const since = hasMail ? dayOf(user.createdMs) : '';
    const office = hasOffice ? since : '';
    return [
      refreshDay(tenant),
      shown(tenant, user.userPrincipalName),
      shown(tenant, user.displayName),
      false,
      '',
      ...[hasMail, hasOffice, hasOffice, false, false, hasOffice],
      ...[hasMail ? lastDay(tenant, user, 1) : '', hasOffice ? lastDay(tenant, user, 2) : ''],
      ...[hasOffice ? lastDay(tenant, user, 3) : '', '', '', hasOffice ? lastDay(tenant, user, 4) : ''],
      ...[since, office, office, '', '', office],
      hasOffice ? 'OFFICE 365 E3' : hasMail ? 'EXCHANGE ONLINE (PLAN 1)' : '',
    ];
  });
}

function mailboxes(tenant: Tenant, period: string): ReportRow[] {
  return tenant.directory.users.flatMap((user): ReportRow[] => {
    const { mailbox } = user;
    if (!mailbox) return [];
    const items = whole(50, 5000, tenant.seed, user.createdMs % 10_000);
    const row = [
      ...[refreshDay(tenant), shown(tenant, user.userPrincipalName), shown(tenant, user.displayName), false, ''],
      ...[dayOf(user.createdMs), lastDay(tenant, user, 1), items, items * 75_000],
      ...[98 * gigabyte, 99 * gigabyte, 100 * gigabyte, Math.floor(items / 10), Math.floor(items / 10) * 75_000],
      ...[30 * gigabyte, mailbox.hasArchive, daysOf(period)],
    ];
    return [row];
  });
}

/** Files, and bytes, of all libraries of a site. */
function usageOf(site: Site) {
  const drives = [...site.lists.values()].flatMap(({ drive }) => drive ?? []);
  const files = drives.flatMap((drive) => [...drive.all()].filter(({ kind }) => kind === 'file'));
  const last = Math.max(0, ...files.map(({ modifiedMs }) => modifiedMs));
  return { fileCount: files.length, bytes: drives.reduce((sum, { root }) => sum + root.size, 0), last };
}

function activeFiles(site: Site, sinceMs: number): number {
  const drives = [...site.lists.values()].flatMap(({ drive }) => drive ?? []);
  return drives
    .flatMap((drive) => [...drive.all()])
    .filter(({ kind, modifiedMs }) => kind === 'file' && modifiedMs >= sinceMs).length;
}

const sinceOf = (tenant: Tenant, period: string) => tenant.nowMs() - Number(daysOf(period)) * dayMs;

function oneDrives(tenant: Tenant, period: string): ReportRow[] {
  return tenant.sites
    .all()
    .filter((site) => site.isPersonal)
    .map((site) => {
      const { fileCount, bytes, last } = usageOf(site);
      const owner = tenant.directory.findUser(site.facts.ownerId ?? '');
      return [
        ...[
          refreshDay(tenant),
          tenant.reports.concealsNames ? '' : site.webUrl,
          shown(tenant, site.facts.displayName),
          false,
        ],
        ...[
          last === 0 ? '' : dayOf(last),
          fileCount,
          activeFiles(site, sinceOf(tenant, period)),
          bytes,
          1024 * gigabyte,
        ],
        ...[shown(tenant, owner?.userPrincipalName ?? ''), daysOf(period)],
      ];
    });
}

function sharePointSites(tenant: Tenant, period: string): ReportRow[] {
  const { concealsNames } = tenant.reports;
  return tenant.sites
    .all()
    .filter((site) => !site.isPersonal && !site.parent)
    .map((site) => {
      const { fileCount, bytes, last } = usageOf(site);
      const group = tenant.directory.findGroup(site.facts.groupId ?? '');
      const owner = tenant.directory.findUser(group?.ownerIds[0] ?? '');
      return [
        refreshDay(tenant),
        concealsNames ? '00000000-0000-0000-0000-000000000000' : site.facts.siteId,
        concealsNames ? '' : site.webUrl,
        ...[shown(tenant, owner?.displayName ?? site.facts.displayName), false, last === 0 ? '' : dayOf(last)],
        ...[fileCount, activeFiles(site, sinceOf(tenant, period)), site.pages.size * 3, site.pages.size],
        ...[
          bytes,
          25 * 1024 * gigabyte,
          site.facts.template,
          shown(tenant, owner?.userPrincipalName ?? ''),
          daysOf(period),
        ],
      ];
    });
}

function teamsUsers(tenant: Tenant, period: string): ReportRow[] {
  const sinceMs = sinceOf(tenant, period);
  const inPeriod = (userId: string) => (message: { from: { user?: { id: string } }; createdMs: number }) =>
    message.from.user?.id === userId && message.createdMs >= sinceMs;
  const channels = allTeams(tenant).flatMap((team) => [...team.channels.values()]);
  return tenant.directory.users.map((user) => {
    const said = channels.flatMap(({ conversation }) => conversation.all.filter(inPeriod(user.id)));
    const privately = tenant.chats
      .of(user.id)
      .flatMap(({ conversation }) => conversation.all.filter(inPeriod(user.id)));
    const posts = said.filter(({ replyToId }) => replyToId === null).length;
    const meetings = Array.from({ length: 8 }, () => 0);
    return [
      ...[refreshDay(tenant), tenant.displayName, '', shown(tenant, user.id), shown(tenant, user.userPrincipalName)],
      ...[isLicensed(user) ? lastDay(tenant, user, 4) : '', false, '', isLicensed(user) ? 'OFFICE 365 E3' : ''],
      ...[said.length, privately.length, 0, 0, posts, said.length - posts, 0, ...meetings],
      ...['PT0S', 'PT0S', 'PT0S', 0, 0, 0, false, isLicensed(user), daysOf(period)],
    ];
  });
}

/** Users of each product on each day of the period; the count of a day is that of everyone with a licence. */
function activeUserCounts(tenant: Tenant, period: string): ReportRow[] {
  const users = tenant.directory.users.filter(({ accountEnabled, skuIds }) => accountEnabled && skuIds.length > 0);
  const office = users.filter(isLicensed).length;
  return Array.from({ length: Number(daysOf(period)) }, (_, day) => [
    ...[refreshDay(tenant), users.length, users.length, office, office, '', '', office],
    ...[dayOf(tenant.nowMs() - (day + 2) * dayMs), daysOf(period)],
  ]);
}

/** The reports by the names of their functions. */
export const usageReports: Readonly<Record<string, UsageReport>> = {
  getOffice365ActiveUserDetail: { header: reportColumns.getOffice365ActiveUserDetail, rows: activeUsers },
  getOffice365ActiveUserCounts: { header: reportColumns.getOffice365ActiveUserCounts, rows: activeUserCounts },
  getMailboxUsageDetail: { header: reportColumns.getMailboxUsageDetail, rows: mailboxes },
  getOneDriveUsageAccountDetail: { header: reportColumns.getOneDriveUsageAccountDetail, rows: oneDrives },
  getSharePointSiteUsageDetail: { header: reportColumns.getSharePointSiteUsageDetail, rows: sharePointSites },
  getTeamsUserActivityUserDetail: { header: reportColumns.getTeamsUserActivityUserDetail, rows: teamsUsers },
};
