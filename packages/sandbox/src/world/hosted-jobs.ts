import type { CloudPolicy, Microsoft365Job, Microsoft365Organization } from './job.ts';
import { pick, uid, unit, whole } from './random.ts';
import { buildBase, machineNames, ownName, type Site } from './site.ts';

const mailNames = [
  'Mailboxes',
  'Exchange and OneDrive',
  'SharePoint and Teams',
  'All of Microsoft 365',
  'Executives',
] as const;

/** A job for Microsoft 365. The caller makes sure that the company has an organization there. */
export function buildMicrosoft365Job(
  site: Site,
  place: number,
  organization: Microsoft365Organization,
): Microsoft365Job {
  const base = buildBase(site, place, '', organization.server);
  const isCopy = unit(base.id, 130) < 0.12;
  const preferred = isCopy ? 'M365 Archive Copy' : pick(mailNames, base.id, 131);
  const shelf = whole(1, 4, organization.id, 132);
  return {
    ...base,
    product: 'microsoft365',
    organization,
    type: isCopy ? 'CopyJob' : 'BackupJob',
    name: ownName(site, unit(base.id, 133) < 0.5 ? preferred : `${organization.name} ${preferred}`),
    messages: 'microsoft365',
    objects: [`info@${site.company.domain}`, `office@${site.company.domain}`],
    sourceBytes: base.sourceBytes / 4,
    repository: undefined,
    repositoryUid: uid(organization.server.id, shelf, 134),
    repositoryName: `${organization.server.name}-objects-${shelf}`,
    retriesMax: unit(base.id, 135) < 0.7 ? 2 : 0,
  };
}

/** A policy of an appliance that protects machines in a public cloud. */
export function buildCloudPolicy(site: Site, place: number): CloudPolicy {
  const base = buildBase(site, place, '', site.sharedServer);
  const cloud = pick(['Azure', 'Azure', 'Amazon', 'Amazon', 'Google'], site.company.id, 136);
  const tier = pick(['Production', 'Gold', 'Silver', 'Web Tier', 'Databases', 'Development'], base.id, 137);
  return {
    ...base,
    product: 'cloud',
    cloud,
    applianceUid: uid(site.company.id, 138),
    name: ownName(site, `${cloud} ${tier}`),
    messages: 'cloud',
    objects: machineNames(site, 1, 6, base.id),
    repository: undefined,
  };
}
