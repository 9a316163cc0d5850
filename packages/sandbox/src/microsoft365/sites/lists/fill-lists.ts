import { mix, pick, uid, unit, whole } from '../../../world/random.ts';
import { instantOf, type Person } from '../../drives/identity-set.ts';
import { type Column, column } from './column.ts';
import { copyOf, itemType } from './content-type.ts';
import { lookupIdAt } from './list-item-entity.ts';
import { SiteList } from './site-list.ts';
import { standardColumns } from './standard-columns.ts';

export interface ListStory {
  seed: number;
  people: readonly Person[];
  madeMs: number;
}

const dayMs = 86_400_000;
const statuses = ['New', 'In Arbeit', '完了', 'Cancelled'] as const;
const things = [
  'Stuhl',
  '机',
  'Lamp',
  'Стол',
  'Écran',
  'مصباح',
  'Κλειδί',
  'Tür & Tor',
  '"quoted"',
  '<b>tag</b>',
] as const;

/** Gives a site lists with every type of column, a hidden list of its users, and rows with a past. */
export function fillLists(story: ListStory, add: (list: SiteList) => void): void {
  add(usersList(story));
  const categories = list(story, 'Categories', 1, () => []);
  for (const [number, name] of ['Office', 'IT', 'Travel'].entries()) {
    categories.add({ Title: name }, editOf(story, number));
  }
  add(categories);
  const inventory = list(story, 'Inventory', 2, (idOf) => inventoryColumns(idOf, categories.facts.id));
  for (let number = 0; number < 40; number += 1) addThing(inventory, story, number);
  add(inventory);
}

function list(
  story: ListStory,
  name: string,
  number: number,
  more: (idOf: (n: number) => string) => Column[],
): SiteList {
  const seed = mix(story.seed, number, 801);
  const idOf = (at: number) => uid(seed, at, 802);
  const facts = { id: uid(seed, 803), name, displayName: name, description: '', template: 'genericList', seed };
  const made = { createdBy: editOf(story, number).by, createdMs: story.madeMs - 700 * dayMs };
  const flags = { hidden: false, isSystem: false, contentTypesEnabled: false };
  const columns = [...standardColumns(false, idOf), ...more((at) => idOf(at + 100))];
  return new SiteList({ ...facts, ...made, ...flags }, columns, [copyOf(itemType, idOf(99))]);
}

/** One column of every kind, those of several values included. */
function inventoryColumns(idOf: (number: number) => string, lookupListId: string): Column[] {
  const lookup = { listId: lookupListId, columnName: 'Title', allowUnlimitedLength: false };
  const person = { chooseFromType: 'peopleOnly', displayAs: 'nameWithPresence' };
  const all: [string, Column['kind'], Column['facet']][] = [
    [
      'Notes',
      'text',
      { allowMultipleLines: true, appendChangesToExistingText: false, linesForEditing: 6, textType: 'plain' },
    ],
    ['Code', 'text', { allowMultipleLines: false, maxLength: 20 }],
    ['Quantity', 'number', { decimalPlaces: 'none', displayAs: 'number', minimum: 0 }],
    ['Price', 'currency', { locale: 'de-de' }],
    ['Bought', 'dateTime', { displayAs: 'standard', format: 'dateOnly' }],
    ['Status', 'choice', { allowTextEntry: false, choices: [...statuses], displayAs: 'dropDownMenu' }],
    ['Tags', 'choice', { allowTextEntry: false, choices: ['red', 'green', 'blue'], displayAs: 'checkBoxes' }],
    ['Active', 'boolean', {}],
    ['Keeper', 'personOrGroup', { ...person, allowMultipleSelection: false }],
    ['Users', 'personOrGroup', { ...person, allowMultipleSelection: true }],
    ['Category', 'lookup', { ...lookup, allowMultipleValues: false }],
    ['Related', 'lookup', { ...lookup, allowMultipleValues: true }],
    ['Link', 'hyperlinkOrPicture', { isPicture: false }],
    ['Total', 'calculated', { formula: '=[Quantity]*[Price]', outputType: 'currency', format: 'dateTime' }],
  ];
  return all.map(([name, kind, facet], at) => column(idOf(at), name, kind, { facet }));
}

function addThing(list: SiteList, story: ListStory, number: number): void {
  const { seed, people } = story;
  const person = (salt: number) => lookupIdAt(mix(seed, number, salt) % Math.max(1, people.length));
  const row = list.add(
    {
      Title: `${pick(things, seed, number, 811)} ${number + 1}`,
      Notes: number % 7 === 0 ? 'Zeile 1\nZeile 2 – 第三行 & <tag>' : '',
      Code: `A-${1000 + number}`,
      Quantity: whole(0, 50, seed, number, 812),
      Price: whole(100, 90_000, seed, number, 813) / 100,
      Bought: instantOf(story.madeMs - whole(1, 900, seed, number, 814) * dayMs),
      Status: pick(statuses, seed, number, 815),
      Tags: number % 3 === 0 ? ['red', 'blue'] : ['green'],
      Active: unit(seed, number, 816) < 0.7,
      KeeperLookupId: person(817),
      UsersLookupId: [...new Set([person(818), person(819)])],
      CategoryLookupId: String(1 + (mix(seed, number, 820) % 3)),
      RelatedLookupId: ['1', '3'],
      Link: { Url: `https://shop.example/${number}`, Description: `Shop ${number}` },
    },
    editOf(story, number),
    undefined,
    number % 10 === 0,
  );
  if (number % 5 === 0) list.update(row, { Quantity: number }, editOf(story, number + 1));
}

/** SharePoint's own list of people, which the numbers of person columns lead to. */
function usersList(story: ListStory): SiteList {
  const seed = mix(story.seed, 0, 831);
  const idOf = (at: number) => uid(seed, at, 832);
  const columns = [
    ...standardColumns(false, idOf),
    ...['Name', 'EMail', 'UserName'].map((name, at) => column(idOf(at + 50), name, 'text', { readOnly: true })),
  ];
  const facts = { id: uid(seed, 833), name: 'users', displayName: 'User Information List', description: '', seed };
  const made = { createdBy: editOf(story, 0).by, createdMs: story.madeMs - 800 * dayMs };
  const flags = { template: 'userInformation', hidden: true, isSystem: true, contentTypesEnabled: false };
  const users = new SiteList({ ...facts, ...made, ...flags }, columns, [copyOf(itemType, idOf(99))]);
  // The first numbers are the system's own, so that a person's number and row are the same.
  for (let number = 1; number < Number(lookupIdAt(0)); number += 1) {
    users.add({ Title: `System ${number}`, Name: `c:0(.s|system${number}` }, editOf(story, 0));
  }
  for (const { displayName, mail, userPrincipalName } of story.people) {
    const Name = `i:0#.f|membership|${userPrincipalName}`;
    users.add({ Title: displayName, EMail: mail, UserName: userPrincipalName, Name }, editOf(story, 0));
  }
  return users;
}

function editOf({ seed, people, madeMs }: ListStory, number: number) {
  const person = people[mix(seed, number, 841) % people.length];
  const atMs = madeMs - whole(5, 600, seed, number, 842) * dayMs;
  return { by: { user: { id: person?.id ?? '', displayName: person?.displayName ?? 'System Account' } }, atMs };
}
