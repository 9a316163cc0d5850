import { EngineError } from '../model/engine-error.ts';
import { OBJECT_KINDS, type ObjectKind } from '../model/protected-object.ts';
import type { SelectedItem, Selection } from '../source/source.ts';
import type { CommandOption, Given } from './command.ts';

/** What a backup covers. */
export const SELECTION_OPTIONS: Readonly<Record<string, CommandOption>> = {
  kinds: { type: 'string', help: `what to read: ${OBJECT_KINDS.join(',')} (default: all)` },
  include: {
    type: 'string',
    help: 'user:<id or address>, group:, site:, team:; may be given often. Without: the whole organization',
  },
  exclude: { type: 'string', help: 'the same, left out' },
  'no-personal-sites': { type: 'boolean', help: 'without the sites behind people’s OneDrives' },
};

export function readSelection(given: Given): Selection {
  const include = given.all('include').map(readSelected);
  return {
    scope: include.length === 0 ? 'everything' : 'selected',
    kinds: readKinds(given.text('kinds')),
    include,
    exclude: given.all('exclude').map(readSelected),
    personalSites: !given.has('no-personal-sites'),
  };
}

function readKinds(text: string | undefined): readonly ObjectKind[] {
  if (text === undefined) return OBJECT_KINDS;
  return text.split(',').map((name) => {
    const kind = OBJECT_KINDS.find((known) => known === name.trim());
    if (kind !== undefined) return kind;
    throw new EngineError('bad-request', `--kinds names '${name}', but knows ${OBJECT_KINDS.join(', ')} alone.`);
  });
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
