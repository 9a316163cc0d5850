import { EngineError } from '../model/engine-error.ts';
import { OBJECT_KINDS } from '../model/protected-object.ts';
import type { SelectedItem, Selection } from '../source/source.ts';
import type { CommandOption } from './command-option.ts';
import type { Given } from './given.ts';

/** What a backup covers. */
export const SELECTION_OPTIONS: Readonly<Record<string, CommandOption>> = {
  kinds: { type: 'string', help: `one or several of ${OBJECT_KINDS.join(', ')} (default: all)` },
  include: {
    type: 'string',
    help: 'user:<id or address>, group:<id or address>, site:<id or URL>, team:<id>; may be given often. Without: the whole organization',
  },
  exclude: { type: 'string', help: 'the same, left out' },
  'no-personal-sites': { type: 'boolean', help: 'without the sites behind people’s OneDrives' },
};

export function readSelection(given: Given): Selection {
  const include = given.all('include').map(readSelected);
  const kinds = given.someOf('kinds', OBJECT_KINDS);
  return {
    scope: include.length === 0 ? 'everything' : 'selected',
    kinds: kinds.length === 0 ? OBJECT_KINDS : kinds,
    include,
    exclude: given.all('exclude').map(readSelected),
    personalSites: !given.has('no-personal-sites'),
  };
}

const SELECTED_TYPES = ['user', 'group', 'site', 'team'] as const;

function readSelected(text: string): SelectedItem {
  const [prefix = '', ...rest] = text.split(':');
  const type = SELECTED_TYPES.find((known) => known === prefix);
  const id = rest.join(':');
  if (type !== undefined && id !== '') return { type, id };
  throw new EngineError(
    'bad-request',
    `'${text}' must begin with ${SELECTED_TYPES.map((known) => `${known}:`).join(', ')} and go on with an id or address.`,
  );
}
