import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Plan } from '../../../sandbox/src/microsoft365/planner/plan.ts';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import type { CommandLine } from './testing/command-line.ts';
import { openTenantCommandLine } from './testing/tenant-command-line.ts';

vi.setConfig({ testTimeout: 180_000 });

let tenant: RunningTenant;
let commandLine: CommandLine;
let plan: Plan;
let object = '';

beforeAll(async () => {
  const opened = await openTenantCommandLine();
  ({ tenant, commandLine } = opened);
  [plan] = tenant.tenant.planner.all() as [Plan];
  object = `planner/${plan.groupId}`;
  for (const task of plan.tasks.values()) task.details.properties = { ...task.details.properties, description: '=1+1' };
  await commandLine.makeRepository();
  const ended = await run('backup', '--kinds', 'planner', '--include', `group:${plan.groupId}`);
  expect(ended.exitCode, ended.problems).toBe(0);
  return opened.close;
}, 120_000);

const run = (...args: string[]) => commandLine.run(args);
const rowsOf = (lines: readonly Record<string, unknown>[]) => lines.filter(({ type }) => type === 'row');
const file = (name: string) => join(commandLine.folder, name);
const titles = () => [...plan.tasks.values()].map(({ properties }) => String(properties['title'])).sort();

test('shows plans, buckets and tasks as a tree', async () => {
  const top = await run('browse', '--object', object, '--json');
  expect(rowsOf(top.lines)).toContainEqual(expect.objectContaining({ kind: 'plan', name: plan.title }));
  const [bucket] = plan.buckets.values();
  const path = ['--path', `${plan.title}/${bucket?.name}`];
  const { lines } = await run('browse', '--object', object, ...path, '--json');
  const inBucket = [...plan.tasks.values()].filter(({ bucketId }) => bucketId === bucket?.id);
  expect(
    rowsOf(lines)
      .map(({ name }) => String(name))
      .sort(),
  ).toEqual(inBucket.map(({ properties }) => String(properties['title'])).sort());
});

test('finds a task by a step of its checklist', async () => {
  const { lines } = await run('search', 'step', '--object', object, '--json');
  expect(rowsOf(lines).length).toBeGreaterThan(0);
});

test('saves tasks as JSON and CSV, and a ZIP with both of each plan', async () => {
  const path = ['--path', plan.title];
  expect((await run('export', '--object', object, ...path, '--to', file('plan.json'))).exitCode).toBe(0);
  const saved: { tasks: { plan: string; title: string }[] } = JSON.parse(await readFile(file('plan.json'), 'utf8'));
  expect(saved.tasks.map(({ title }) => title).sort()).toEqual(titles());
  expect(saved.tasks[0]).toMatchObject({ plan: plan.title, details: { description: '=1+1' } });
  expect((await run('export', '--object', object, ...path, '--to', file('plan.csv'))).exitCode).toBe(0);
  const script =
    'import csv,json,sys\nprint(json.dumps(list(csv.DictReader(open(sys.argv[1],encoding="utf-8-sig",newline="")))))';
  const rows: Record<string, string>[] = JSON.parse(
    execFileSync('python3', ['-c', script, file('plan.csv')]).toString(),
  );
  expect(rows.map((row) => row['Task']).sort()).toEqual(titles());
  expect(new Set(rows.map((row) => row['Description']))).toEqual(new Set(["'=1+1"]));
  const zip = await run('export', '--object', object, '--to', file('plans.zip'), '--json');
  expect(zip.exitCode, zip.problems).toBe(0);
  const names = execFileSync('python3', [
    '-c',
    'import zipfile,sys\nprint("\\n".join(zipfile.ZipFile(sys.argv[1]).namelist()))',
    file('plans.zip'),
  ]);
  expect(names.toString()).toContain(`${plan.title}.csv\n${plan.title}.json`);
});

test('restores a plan, and says what Planner does not take', async () => {
  tenant.tenant.planner.remove(plan);
  const planned = await run('restore', '--object', object, '--path', plan.title, '--plan', '--json');
  expect(planned.exitCode, planned.problems).toBe(0);
  expect(tenant.tenant.planner.of(plan.groupId).some(({ title }) => title === plan.title)).toBe(false);
  const { lines, exitCode } = await run('restore', '--object', object, '--path', plan.title, '--json');
  expect(exitCode).toBe(3);
  expect(lines.findLast(({ type }) => type === 'result')).toMatchObject({ restored: plan.tasks.size, failed: 0 });
  expect(JSON.stringify(lines)).toContain('who made and completed it, and when');
  const made = tenant.tenant.planner.of(plan.groupId).find(({ title }) => title === plan.title);
  expect([...(made?.tasks.values() ?? [])].map(({ properties }) => String(properties['title'])).sort()).toEqual(
    titles(),
  );
});
