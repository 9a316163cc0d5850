import { describe, expect, test } from 'vitest';
import { newColumn, writableFields, writtenText } from './row-fields.ts';

const TITLE = { name: 'Title', displayName: 'Title', text: {} };
const COLUMNS = [
  TITLE,
  { name: 'Quantity', displayName: 'Quantity', number: {} },
  { name: 'Tags', displayName: 'Tags', choice: { allowMultipleValues: true } },
  { name: 'Total', displayName: 'Total', calculated: { formula: '=[Quantity]*2' } },
  { name: 'Link', displayName: 'Web link', hyperlinkOrPicture: {} },
  { name: 'Owner', displayName: 'Owner', personOrGroup: {} },
  { name: 'Related', displayName: 'Related', lookup: { listId: 'other', allowMultipleValues: true } },
  { name: 'Modified', displayName: 'Modified', dateTime: {}, readOnly: true },
  { name: 'Attachments', displayName: 'Attachments', boolean: {} },
];

const ROW = {
  '@odata.etag': '"1"',
  Title: 'Screws',
  Quantity: 0,
  Tags: ['small', 'steel'],
  Total: 0,
  Link: { Url: 'https://x.example', Description: 'x' },
  OwnerLookupId: '7',
  Related: [
    { LookupId: 3, LookupValue: 'a' },
    { LookupId: 4, LookupValue: 'b' },
  ],
  Modified: '2026-11-20T10:00:00Z',
  Attachments: true,
  id: '1',
};

describe('The fields of a row', () => {
  test('are written with references to where they are by now, lists with their type, and nothing the vendor keeps for itself', async () => {
    const { fields, losses } = await writableFields(ROW, COLUMNS, async (_, id) => `1${id}`);
    expect(fields).toEqual({
      Title: 'Screws',
      Quantity: 0,
      Tags: ['small', 'steel'],
      'Tags@odata.type': 'Collection(Edm.String)',
      OwnerLookupId: '17',
      RelatedLookupId: [13, 14],
      'RelatedLookupId@odata.type': 'Collection(Edm.Int32)',
    });
    expect(losses).toEqual(['the hyperlink ‘Web link’']);
  });

  test('lose a reference that leads nowhere, report it, and keep the others', async () => {
    const { fields, losses } = await writableFields(ROW, COLUMNS, async (_, id) => (id === '4' ? '40' : null));
    expect(fields).toMatchObject({ RelatedLookupId: [40] });
    expect(fields).not.toHaveProperty('OwnerLookupId');
    expect(losses.toSorted()).toEqual([
      'a reference in ‘Owner’',
      'a reference in ‘Related’',
      'the hyperlink ‘Web link’',
    ]);
  });

  test('are the same text until a user changes them, whatever the vendor changes', () => {
    const text = writtenText(ROW, COLUMNS);
    expect(writtenText({ ...ROW, Modified: 'later', Total: 9, '@odata.etag': '"2"' }, COLUMNS.toReversed())).toBe(text);
    for (const change of [{ Title: 'Nails' }, { Quantity: 1 }, { Tags: [] }, { OwnerLookupId: '8' }, { Related: [] }])
      expect(writtenText({ ...ROW, ...change }, COLUMNS), JSON.stringify(change)).not.toBe(text);
  });
});

describe('A column', () => {
  test('is created with its name and type, and without what the vendor gave it', () => {
    const column = { ...TITLE, id: 'c-1', required: true, isDeletable: true, text: { maxLength: 50 } };
    expect(newColumn(column, () => null)).toEqual({
      name: 'Title',
      displayName: 'Title',
      required: true,
      text: { maxLength: 50 },
    });
  });

  test('that looks up another list leads to where that is by now, and is not made where it is not', () => {
    const lookup = { name: 'Related', lookup: { listId: 'old', columnName: 'Title' } };
    expect(newColumn(lookup, (id) => `new ${id}`)).toEqual({
      name: 'Related',
      lookup: { listId: 'new old', columnName: 'Title' },
    });
    expect(newColumn(lookup, () => null)).toBeNull();
  });

  test('of a type that Graph cannot create is not created', () => {
    expect(newColumn({ name: 'Location', location: {} }, () => null)).toBeNull();
  });
});
