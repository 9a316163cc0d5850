import type { SelectedItem } from '@keepwatch/connectors/ports/microsoft365-engine';
import { expect, it } from 'vitest';
import { selectionOf } from './selection.ts';

const ALL = ['exchange', 'sharepoint', 'teams', 'teamsChats'] as const;
const flags = {
  mailbox: true,
  archiveMailbox: true,
  oneDrive: true,
  sites: false,
  personalSite: true,
  teams: true,
};
const item = (given: Partial<SelectedItem>): SelectedItem => ({
  type: 'User',
  id: 'ada',
  name: 'Ada',
  ...flags,
  ...given,
});
const job = { backupType: 'SelectedItems', selected: [], excluded: [], withChats: false } as const;

it('covers all kinds of the services of an organization, and chats where the job says so', () => {
  const whole = { ...job, backupType: 'EntireOrganization' } as const;
  expect(selectionOf(whole, ['exchange'])).toEqual({
    scope: 'everything',
    kinds: ['mailbox', 'archive'],
    include: [],
    exclude: [],
    personalSites: true,
  });
  expect(selectionOf(whole, ALL).kinds).not.toContain('chats');
  expect(selectionOf({ ...whole, withChats: true }, ALL).kinds).toContain('chats');
});

it('selects of a person what is ticked', () => {
  const selected = [item({ archiveMailbox: false, oneDrive: false })];
  expect(selectionOf({ ...job, selected }, ALL).include).toEqual([
    { type: 'user', id: 'ada', kinds: ['mailbox', 'chats'] },
  ]);
});

it('leaves out items of services that the organization does not back up', () => {
  const selected = [item({}), item({ type: 'Site', id: 'site' })];
  expect(selectionOf({ ...job, selected }, ['exchange']).include).toMatchObject([{ type: 'user' }]);
});

it('selects parts of the organization beside single objects', () => {
  const part = item({ type: 'PartialOrganization', id: null, oneDrive: false, sites: true, personalSite: false });
  const { include } = selectionOf({ ...job, selected: [part, item({})] }, ALL);
  expect(include).toEqual([
    { type: 'all', id: 'users', kinds: ['mailbox', 'archive', 'chats'] },
    { type: 'all', id: 'groups', kinds: ['mailbox', 'team', 'planner', 'drive'] },
    { type: 'all', id: 'sites', kinds: ['site', 'drive'] },
    { type: 'user', id: 'ada', kinds: ['mailbox', 'archive', 'drive', 'chats'] },
  ]);
});

it('excludes objects, and personal sites as a whole', () => {
  const excluded = [item({ id: 'grace' }), item({ type: 'PersonalSites', id: null })];
  const selection = selectionOf({ ...job, backupType: 'EntireOrganization', excluded }, ALL);
  expect(selection).toMatchObject({ exclude: [{ type: 'user', id: 'grace' }], personalSites: false });
});
