import { describe, expect, it } from 'vitest';
import { sourceFiles } from './source-files.ts';
import { importCycles, wrongImports } from './wrong-imports.ts';

const WRONG: readonly (readonly [from: string, target: string])[] = [
  ['packages/contract/src/insights/insights.ts', 'apps/server/src/foundation/scope.ts'],
  ['apps/web/src/insights/dashboard/dashboard.screen.tsx', 'apps/web/src/executions/daily-checks.data.ts'],
  ['apps/web/src/entities/result-badge.tsx', 'apps/web/src/shell/sidebar.tsx'],
  ['apps/web/src/kit/bytes.ts', 'apps/web/src/entities/result-badge.tsx'],
  ['apps/web/src/kit/bytes.ts', 'apps/web/src/shell/sidebar.tsx'],
  ['packages/contract/src/runs/values.ts', 'packages/embedded-database/src/index.ts'],
  ['apps/server/src/tool-reports/reports.calls.ts', 'apps/server/src/sources/sources.calls.ts'],
  ['apps/server/src/identity/sessions.ts', 'apps/server/src/directory/tables.ts'],
  ['apps/server/src/program/secret-check.ts', 'apps/server/src/runs/tables.ts'],
  ['apps/server/src/tool-reports/reports.ts', 'apps/server/src/sources/sources.jobs.ts'],
  ['apps/server/src/runs/attempt.ts', 'apps/server/src/ingest/ingest-runs.ts'],
  ['apps/web/src/insights/dashboard/dashboard.screen.tsx', 'apps/web/src/shell/sidebar.tsx'],
  ['apps/web/src/kit/bytes.ts', 'apps/web/src/insights/dashboard/overview.data.ts'],
  ['apps/web/src/insights/dashboard/overview.data.ts', 'apps/server/src/insights/overview.ts'],
  ['apps/server/src/foundation/database.ts', 'apps/server/src/directory/users.ts'],
  ['apps/server/src/directory/users.ts', 'apps/server/src/identity/sessions.ts'],
  ['apps/server/src/audit/audit.ts', 'apps/server/src/branding/brands.ts'],
  ['apps/server/src/sources/sync/sync.ts', 'packages/connectors/src/vspc/client.ts'],
  ['apps/server/src/sources/sync/sync.ts', 'apps/server/src/program/compose.ts'],
  ['apps/server/src/sources/sync/sync.ts', 'packages/engine/src/backup/backup.ts'],
  ['packages/connectors/src/vspc/client.ts', 'packages/connectors/src/zerto/client.ts'],
  ['packages/connectors/src/vspc/client.ts', 'packages/sandbox/src/server.ts'],
  ['packages/sandbox/src/server.ts', 'packages/connectors/src/ports/backup-source.ts'],
  ['packages/outlook-files/checker/heap/heap.ts', 'packages/outlook-files/src/pst/heap.ts'],
  ['packages/outlook-files/src/pst/heap.ts', 'packages/outlook-files/checker/heap/heap.ts'],
  ['packages/engine/src/backup/backup.ts', 'apps/server/src/foundation/database.ts'],
  ['packages/engine/src/backup/backup.ts', 'packages/engine/src/catalog/postgres/open-catalog.ts'],
  ['packages/engine/src/prune/prune.ts', 'packages/engine/src/store/s3/s3-store.ts'],
  ['packages/engine/src/restore/restore.ts', 'packages/engine/src/source/graph/graph-source.ts'],
  ['packages/engine/src/store/folder/folder-store.ts', 'packages/engine/src/repository/repository.ts'],
  ['packages/engine/src/verify/verify.ts', 'packages/engine/src/repository/packs/pack-check.ts'],
  ['packages/bench/src/engine/search.ts', 'packages/engine/src/repository/repository-run.ts'],
  ['packages/engine/src/model/items.ts', 'packages/engine/src/repository/commit.ts'],
];

const RIGHT: readonly (readonly [from: string, target: string])[] = [
  ['apps/web/src/program/router.tsx', 'apps/web/src/insights/dashboard/routes.ts'],
  ['apps/web/src/insights/dashboard/dashboard.screen.tsx', 'apps/web/src/kit/bytes.ts'],
  ['apps/server/src/identity/sessions.ts', 'apps/server/src/directory/users.ts'],
  ['apps/server/src/identity/sessions.ts', 'apps/server/src/identity/tables.ts'],
  ['apps/server/src/program/jobs.ts', 'apps/server/src/sources/sources.jobs.ts'],
  ['apps/server/src/program/api.ts', 'packages/connectors/src/registry.ts'],
  ['apps/server/src/sources/sync/sync.ts', 'packages/connectors/src/ports/backup-source.ts'],
  ['packages/engine/src/cli/open-parts.ts', 'packages/engine/src/catalog/postgres/open-catalog.ts'],
  ['packages/engine/src/prune/prune.ts', 'packages/engine/src/repository/repository.ts'],
  ['packages/engine/src/verify/verify.server.test.ts', 'packages/engine/src/repository/packs/pack-check.ts'],
  ['packages/connectors/src/vspc/vspc.test.ts', 'packages/sandbox/src/server.ts'],
  ['packages/outlook-files/src/items.test.ts', 'packages/outlook-files/checker/check.ts'],
];

describe('the dependencies of the architecture', () => {
  it.each(WRONG)('refuses that %s imports %s, and says why', (path, target) => {
    expect(wrongImports([{ path, imports: [target] }])).toEqual([expect.stringMatching(/: .{20,}/)]);
  });

  it.each(RIGHT)('lets %s import %s', (path, target) => {
    expect(wrongImports([{ path, imports: [target] }])).toEqual([]);
  });

  it('give every capability of the server a level', () => {
    const files = ['unknown/a.ts', 'unknown/b.ts', 'watch/a.ts', 'foundation/a.ts', 'program/a.ts', 'testing/a.ts'];
    expect(wrongImports(files.map((file) => ({ path: `apps/server/src/${file}`, imports: [] })))).toEqual([
      'apps/server/src/unknown has no level: add it to SERVER_LEVELS in tools/import-rules.ts',
    ]);
  });

  it('hold for every file of the project', () => {
    const files = sourceFiles();
    expect(files.length).toBeGreaterThan(50);
    expect(wrongImports(files)).toEqual([]);
  });

  it('have no cycle', () => {
    expect(
      importCycles([
        { path: 'a', imports: ['b'] },
        { path: 'b', imports: ['c'] },
        { path: 'c', imports: ['a'] },
      ]),
    ).toEqual([['a', 'b', 'c', 'a']]);
    expect(importCycles(sourceFiles())).toEqual([]);
  });
});
