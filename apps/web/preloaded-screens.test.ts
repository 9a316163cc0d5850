import { expect, test } from 'vitest';
import { screenFiles } from './preloaded-screens.ts';

const chunk = (fileName: string, imports: string[], facadeModuleId: string | null = null) => ({
  type: 'chunk' as const,
  fileName,
  imports,
  facadeModuleId,
  isDynamicEntry: facadeModuleId !== null,
});

test('a screen comes with the shell and all that both need, and without what the page begins with', () => {
  const chunks = [
    chunk('index.js', ['react.js']),
    chunk('react.js', []),
    chunk('shell.js', ['index.js', 'menu.js'], '/src/shell/shell.tsx'),
    chunk('menu.js', ['react.js']),
    chunk('dashboard.js', ['chart.js', 'menu.js'], '/src/insights/dashboard/dashboard.screen.tsx'),
    chunk('chart.js', ['react.js', 'dashboard.js']),
    chunk('dialog.js', [], '/src/sources/dialog.tsx'),
  ];
  const bundle = Object.fromEntries(chunks.map((one) => [one.fileName, one]));
  expect(screenFiles(bundle as unknown as Parameters<typeof screenFiles>[0], 'index.js')).toEqual({
    dashboard: ['shell.js', 'menu.js', 'dashboard.js', 'chart.js'],
  });
});
