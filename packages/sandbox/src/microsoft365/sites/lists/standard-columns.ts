import { type Column, column } from './column.ts';

/** The columns every list has; a library has the name of the file besides. */
export function standardColumns(isLibrary: boolean, idOf: (number: number) => string): Column[] {
  const own = { columnGroup: 'Core Document Columns' };
  const fixed = { ...own, readOnly: true };
  const all = [
    ['Title', 'text', { ...own, facet: { allowMultipleLines: false, maxLength: 255 } }],
    ['ContentType', 'text', { ...own, displayName: 'Content Type' }],
    ['Modified', 'dateTime', { ...fixed, facet: { displayAs: 'default', format: 'dateTime' } }],
    ['Created', 'dateTime', { ...fixed, facet: { displayAs: 'default', format: 'dateTime' } }],
    ['Author', 'personOrGroup', { ...fixed, displayName: 'Created By', facet: person }],
    ['Editor', 'personOrGroup', { ...fixed, displayName: 'Modified By', facet: person }],
    ['_UIVersionString', 'text', { ...fixed, displayName: 'Version' }],
    isLibrary
      ? ['FileLeafRef', 'text', { ...fixed, displayName: 'Name' }]
      : ['Attachments', 'boolean', { ...fixed, displayName: 'Attachments' }],
  ] as const satisfies readonly (readonly [string, Column['kind'], Partial<Column>])[];
  return all.map(([name, kind, more], number) => column(idOf(number), name, kind, more));
}

const person = { allowMultipleSelection: false, chooseFromType: 'peopleAndGroups', displayAs: 'nameWithPresence' };
