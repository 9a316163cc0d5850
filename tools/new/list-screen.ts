import { camelOf, capital, constantOf, type Noun } from './names.ts';
import type { Plan, Project } from './plan.ts';

/** The screen of a list, with its data, its place and its route. */
export function planListScreen(noun: Noun, capability: string, ability: string, project: Project): Plan {
  const { camels, kebabs, words } = noun;
  const web = `apps/web/src/${capability}`;
  const routes = `${web}/routes.ts`;
  const list = `${camelOf(capability)}Screens`;
  const declaration = `  declareScreen(${camels}, { title: '${capital(words)}', load: () => import('./${kebabs}.screen.tsx') }),\n`;
  const hasRoutes = project.exists(routes);
  return {
    files: {
      [`${web}/${kebabs}.data.ts`]: dataOf(noun, capability),
      [`${web}/${kebabs}.screen.tsx`]: screenOf(noun, capability),
      [`${web}/${kebabs}.screen.test.tsx`]: testOf(noun, capability),
      ...(hasRoutes ? {} : { [routes]: routesOf(camels, list, declaration) }),
    },
    lines: [
      {
        file: 'apps/web/src/entities/places.ts',
        before: '',
        text: `
export const ${camels} = declarePlace({
  application: monitoring,
  path: '/monitoring/${kebabs}',
  access: '${ability}',
});
`,
      },
      ...(hasRoutes
        ? [
            {
              file: routes,
              before: '];',
              text: declaration,
              imports: [{ name: camels, from: '../entities/places.ts' }],
            },
          ]
        : [
            {
              file: 'apps/web/src/program/screens.ts',
              before: '];',
              text: `  ...${list},\n`,
              imports: [{ name: list, from: `../${capability}/routes.ts` }],
            },
          ]),
    ],
    next: [
      `apps/web/src/entities/places.ts: what the brand or the user must have besides (when)`,
      `${routes}: an entry of the sidebar (icon, key), if it has one; its place among the others is in program/screens.ts`,
      `${web}/${kebabs}.screen.tsx: columns, and what to do where there are none`,
    ],
  };
}

function routesOf(camels: string, list: string, declaration: string): string {
  return `import { ${camels} } from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

export const ${list}: readonly Screen[] = [
${declaration}];
`;
}

function dataOf(noun: Noun, capability: string): string {
  const { pascal, pascals, kebabs, words } = noun;
  return `import { type ${pascal}, list${pascals} } from '@keepwatch/contract/${capability}/${kebabs}';
import { type OrderOf, ordersOf } from '@keepwatch/contract/wire/sorts';
import type { Pages } from '../kit/data-table/pages.ts';
import { usePages } from '../kit/data-table/use-pages.ts';
import { useApi } from '../kit/portal.tsx';

export const ${constantOf(noun)}_SORTS = ordersOf(list${pascals});

/** The ${words} that a search finds, in the order asked for. */
export function use${pascals}(search: string, sort: OrderOf<typeof list${pascals}>): Pages<${pascal}> {
  const api = useApi();
  return usePages({
    queryKey: ['${kebabs}', 'list', { search, sort }],
    load: (place, signal) => api.request(list${pascals}, { query: { ...place, search, sort } }, signal),
  });
}
`;
}

function screenOf(noun: Noun, capability: string): string {
  const { pascal, pascals, kebabs, word, words } = noun;
  const sorts = `${constantOf(noun)}_SORTS`;
  return `import type { ${pascal}, list${pascals} } from '@keepwatch/contract/${capability}/${kebabs}';
import type { SortOf } from '@keepwatch/contract/wire/sorts';
import type { Column } from '../kit/data-table/column.ts';
import { SearchInput } from '../kit/filters/search-input.tsx';
import { formatCounted } from '../kit/format/numbers.ts';
import { ListScreen } from '../kit/list/list-screen.tsx';
import { EmptyState } from '../kit/states/empty-state.tsx';
import { choiceField, textField, useUrlState } from '../kit/address/url-state.ts';
import { ${sorts}, use${pascals} } from './${kebabs}.data.ts';

const FIELDS = { search: textField(), sort: choiceField(${sorts}, 'name') };

const COLUMNS: readonly Column<${pascal}, SortOf<typeof list${pascals}>>[] = [
  { key: 'name', title: 'Name', width: 'minmax(160px, 1fr)', sort: 'name', cell: ({ name }) => <span title={name}>{name}</span> },
];

/** All ${words} of the provider. */
export default function ${pascals}Screen() {
  const [{ search, sort }, setFilters] = useUrlState(FIELDS);
  const pages = use${pascals}(search, sort);
  return (
    <ListScreen
      label="${capital(words)}"
      what="the ${words}"
      columns={COLUMNS}
      pages={pages}
      rowId={(row) => row._id}
      sort={sort}
      onSort={(next) => setFilters({ sort: next })}
      filters={
        <SearchInput label="Search ${words}" value={search} onChange={(text) => setFilters({ search: text })} />
      }
      end={<span>{formatCounted(pages.count, '${word}', '${words}')}</span>}
      isNarrowed={search !== ''}
      noMatch={{ title: 'No matching ${word}', text: \`No name contains “\${search}”.\`, reset: 'Show all ${words}' }}
      onReset={() => setFilters({ search: '' })}
      empty={<EmptyState title="No ${words} yet" text="TODO: what to do about it." />}
    />
  );
}
`;
}

function testOf({ pascal, pascals, kebabs, camel, words }: Noun, capability: string): string {
  return `import { type ${pascal}, list${pascals} } from '@keepwatch/contract/${capability}/${kebabs}';
import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createAnswers } from '../testing/answers.ts';
import { buildId, buildUser } from '../testing/builders.ts';
import { openPortal } from '../testing/open-portal.tsx';

const path = '/monitoring/${kebabs}';
const user = buildUser({ roles: ['admin'] });
const ${camel}: ${pascal} = { _id: buildId(1), name: 'The first' };

test('lists ${words}, and finds them by name on the server', async () => {
  const answers = createAnswers().on(list${pascals}, { success: true, count: 1, data: [${camel}] });
  const { page, person } = openPortal({ path, user, answers });
  await page.findByText('The first');
  await person.type(page.getByRole('searchbox', { name: 'Search ${words}' }), 'other');
  await waitFor(() => expect(answers.asked(list${pascals}).at(-1)?.query).toMatchObject({ search: 'other', sort: 'name' }));
});

test('says what to do where there are none', async () => {
  const answers = createAnswers().on(list${pascals}, { success: true, count: 0, data: [] });
  const { page } = openPortal({ path, user, answers });
  await page.findByText('No ${words} yet');
});
`;
}
