/** Of paths that end or go on as one of these expressions says. */
const anyOf = (...paths: readonly string[]) => new RegExp(paths.join('|'));

/**
 * Modules that many pages load together, each group in one file. Left to the bundler a group is some twenty files of a few hundred bytes, which gzip
 * shortens less: 4 kB of every first visit. A module belongs into a group if who loads one of it needs nearly all: `measure-bundle.ts` shows where that
 * is no longer so.
 */
export const SHARED_FILES = [
  {
    // What forms are made of: the sign-in needs all of it, and most screens do.
    name: 'fields',
    test: anyOf(
      '@mantine/core/esm/components/(Input|InputBase|TextInput|ActionIcon|CloseButton)/',
      'createReactComponent',
      'icons/IconEye',
      'src/kit/(password-input|screen-link)\\.',
      'src/identity/(entry-page|sign-in\\.module)\\.',
      'src/entities/entry-frame\\.',
    ),
  },
  {
    // What the frame around every screen is made of besides.
    name: 'frame',
    test: anyOf(
      'src/kit/panel/(panel|menu-item)\\.',
      'src/kit/(live/(use-live|bursts)|shortcuts/use-shortcut|format/dates|states/skeleton-rows|use-now|use-screens|session-endpoints)\\.',
      'src/entities/(theme\\.data|scoped-target)\\.',
      'contract/src/(wire/entity|identity/preferences|directory/console-kinds)\\.',
      '@mantine/hooks/esm/(use-debounced-callback|use-callback-ref)/',
      'icons/Icon(World|ChevronDown|Download|ExternalLink|Search|Refresh|AlertTriangle)\\.',
    ),
  },
];
