import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CLOSED_LAYERS, LAYERS } from '../apps/e2e/portal/layers.ts';
import { ROOT, sourceFiles } from './source-files.ts';

const WEB = 'apps/web/src/';

/** Components that open a layer, with the file of those that are made of others: their layers are listed where they are used. */
const OPENERS: Readonly<Record<string, string>> = {
  Panel: 'kit/panel/panel.tsx',
  Modal: '@mantine/core',
  'Modal.Root': '@mantine/core',
  Autocomplete: '@mantine/core',
  Dialog: 'kit/dialog/dialog.tsx',
  FormDialog: 'kit/form/form-dialog.tsx',
  FigureDialog: 'kit/figures/figure-dialog.tsx',
  ConfirmDialog: 'kit/confirm/confirm-dialog.tsx',
  RevokeButton: 'kit/confirm/revoke-button.tsx',
  ShortcutPanel: 'kit/panel/shortcut-panel.tsx',
  SingleFilter: 'kit/filters/choice-filter.tsx',
  ChoiceFilter: 'kit/filters/choice-filter.tsx',
  SearchFilter: 'kit/filters/search-filter.tsx',
  CompanyFilter: 'entities/company-filter.tsx',
  KindDialog: 'entities/connection/kind-dialog.tsx',
  CompanyChoice: 'entities/company-choice.tsx',
  OrganizationChoice: 'entities/organization-choice.tsx',
  DateRangePicker: 'kit/date-range/date-range-picker.tsx',
};
const SHARED_FILES = new Set([...Object.values(OPENERS), 'kit/confirm/use-confirm.tsx', 'kit/form/use-unsaved.tsx']);
const OPENING = new RegExp(`<(?:${Object.keys(OPENERS).join('|')})[\\s>]|= useConfirm\\(\\)`, 'g');

/** Layers that are made by hand, or by components of the library that nothing here uses yet. */
const OTHER = /\bpopover=|\baria-modal=|\srole="dialog"|<(?:Drawer|Popover|Menu|Select|MultiSelect|HoverCard)[\s>.]/;
const BY_HAND = ['kit/panel/panel.tsx', 'executions/run/execution-drawer.tsx'];

const files = sourceFiles()
  .map(({ path }) => path)
  .filter((path) => path.startsWith(WEB) && path.endsWith('.tsx') && !/\.test\.|\/testing\//.test(path))
  .map((path) => ({ file: path.slice(WEB.length), text: readFileSync(join(ROOT, path), 'utf8') }));

test('every panel and dialog of the browser is in the list of layers', () => {
  const used = files
    .filter(({ file }) => !SHARED_FILES.has(file))
    .map(({ file, text }) => [file, [...text.matchAll(OPENING)].length] as const)
    .filter(([, count]) => count > 0);
  const listed = Map.groupBy([...LAYERS, ...CLOSED_LAYERS], ({ file }) => file);
  expect(Object.fromEntries([...listed].map(([file, layers]) => [file, layers.length]))).toEqual(
    Object.fromEntries(used),
  );
});

test('no layer is made in a way that the list does not know', () => {
  expect(files.filter(({ text }) => OTHER.test(text)).map(({ file }) => file)).toEqual(BY_HAND.toSorted());
});
