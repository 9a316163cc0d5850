import type { restoreOutlook } from '../../entities/places.ts';
import { choiceField, flagField, listField, textField, useUrlState } from '../../kit/address/url-state.ts';
import type { FieldsOf } from '../../kit/place.ts';
import { ENTRY_SORTS } from './application.ts';

/** What the address of an explorer says, so that a colleague with the same link sees the same. */
const FIELDS = {
  organization: textField(),
  point: textField(),
  deleted: flagField(),
  at: listField('any'),
  name: textField(),
  search: textField(),
  all: flagField(),
  sort: choiceField(['', ...ENTRY_SORTS], ''),
  open: textField(),
  with: textField(),
  filters: flagField(),
  types: listField('any'),
  when: textField(),
  sender: textField(),
  recipient: textField(),
  size: textField(),
  attached: flagField(),
  gone: flagField(),
} satisfies FieldsOf<typeof restoreOutlook>;

export const useExplorerAddress = () => useUrlState(FIELDS);
export type ExplorerAddress = ReturnType<typeof useExplorerAddress>[0];
export type ChangeAddress = ReturnType<typeof useExplorerAddress>[1];
