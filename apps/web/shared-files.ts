/** Of paths that have one of these expressions in them. */
const anyOf = (...paths: readonly string[]) => new RegExp(paths.join('|'));

/**
 * Modules that many pages load together, each group in one file; the first group that has a module gets it. Left to the bundler a page is some eighty files
 * of a few hundred bytes. Gzip shortens these less, 15 kB of every first visit, and each costs a browser about as much as a large one, before anything is
 * drawn. A module belongs into a group if who loads one of it needs nearly all: `measure-bundle.ts` shows where that is no longer so.
 */
export const SHARED_FILES = [
  // What every page begins with.
  { name: 'start', tags: ['$initial' as const] },
  {
    // What forms are made of: the sign-in needs all of it, and most screens do.
    name: 'fields',
    test: anyOf(
      '@mantine/core/esm/components/(Input|InputBase|TextInput|ActionIcon|CloseButton)/',
      '@mantine/core/esm/core/styles-api/use-resolved-styles-api/',
      '@mantine/hooks/esm/(use-id|utils/random-id)/',
      '@tanstack/.+/(mutationObserver|useMutation)\\.',
      'icons/IconEye',
      'src/kit/(password-input|screen-link|address/return-address)\\.',
      'src/identity/(entry-page|failure|demonstration-accounts|sign-in\\.(module|data))',
      'src/entities/entry-frame\\.',
    ),
  },
  {
    // What the frame around every screen is made of besides.
    name: 'frame',
    test: anyOf(
      'zod/v4/',
      '@tanstack/.+/(queryObserver|IsRestoringProvider|QueryErrorResetBoundary|errorBoundaryUtils|suspense|useBaseQuery|useQuery|queryOptions)\\.',
      '@mantine/core/esm/core/(MantineProvider/use-mantine-color-scheme|utils/noop)/',
      '@mantine/hooks/esm/(use-color-scheme|use-debounced-callback|utils/use-callback-ref)/',
      'icons/Icon(AlertTriangle|ChevronDown|Cloud|Download|ExternalLink|Mail|Messages|Refresh|Search|Settings|Users|World)\\.',
      'src/kit/(panel/(panel|menu-item)|live/(use-live|bursts)|shortcuts/use-shortcut|format/dates|states/skeleton-rows)\\.',
      'src/kit/(use-is-drawn|use-now|use-screens|session-endpoints|preferences)\\.',
      'src/entities/(theme\\.data|scoped-target)\\.',
      'contract/src/(wire/(entity|fields|replies)|identity/preferences|directory/console-kinds)\\.',
    ),
  },
  {
    // What lists and their filters are made of.
    name: 'lists',
    test: anyOf(
      '@tanstack/.+/(infiniteQueryObserver|useInfiniteQuery)\\.',
      'icons/Icon(Calendar|Check|ClockOff|PlayerPlay)\\.',
      'src/kit/(states/(broken-link|empty-state)|format/(numbers|zones|durations)|badges/badge|address/url-state)\\.',
      'src/kit/(style-variables|backup-clock|toggle-button|declare-filters|date-range/date-range(-field|-picker)?)\\.',
      'src/kit/filters/(choice-(options|list|filter)|use-list-box|filter-button|filter-bar|search-filter)\\.',
      'src/entities/(result-badge|company-filter|company-scope|source-groups|daily-checks)\\.',
      'contract/src/(backup-days/(backup-day|time-zones)|executions/filters|runs/values|directory/companies)\\.',
    ),
  },
  {
    // What the dashboards of both applications are made of.
    name: 'dashboards',
    test: anyOf(
      '@mantine/hooks/esm/use-resize-observer/',
      'src/kit/(dashboard/(dashboard-panel|proportions|bar-list)|figures/figure-button|facts/figure|chart/chart-scale)\\.',
    ),
  },
];
