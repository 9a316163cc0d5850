import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { build, readContainerfile } from './containerfile.fixture.ts';
import { leftAfter, PROJECT, startWholeProgram, testDataDir, wasStoppedCleanly } from './whole-program.fixture.ts';

const UNIT = join(PROJECT, 'deploy/keepwatch.service');
const LIMIT_MS = 10_000;

/** Whether a new tree of processes can be made here, in which ours is the first one, as in a container. */
const canBeFirst =
  process.platform === 'linux' && spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0;
const canVerify = spawnSync('systemd-analyze', ['--version']).status === 0;
const isLinux = process.platform === 'linux';

if (!canBeFirst) console.warn('The test of the first process of a container is skipped: unshare needs Linux and root.');
if (!canVerify) console.warn('The check of the unit file by systemd is skipped: systemd-analyze is not installed.');

/** The values of a key of the unit file, in their order. */
function valuesOf(key: string): string[] {
  const lines = readFileSync(UNIT, 'utf8').split('\n');
  return lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1));
}

describe('the service of systemd', () => {
  test.runIf(canVerify)('is accepted by systemd without a warning', () => {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', UNIT], { encoding: 'utf8' });
    // It also looks whether the program is installed at its place, which is not a matter of the file.
    const warnings = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('keepwatch.service'));
    expect(warnings.filter((line) => !/is not executable|No such file/.test(line))).toEqual([]);
    expect(warnings.length > 0 || status === 0).toBe(true);
  });

  test('runs as an account of its own that can write its data alone', () => {
    expect(valuesOf('User')).toEqual(['keepwatch']);
    expect(valuesOf('NoNewPrivileges')).toEqual(['yes']);
    expect(valuesOf('ProtectSystem')).toEqual(['strict']);
    expect(valuesOf('StateDirectory')).toEqual(['keepwatch']);
    expect(valuesOf('Environment')).toContain('DATA_DIR=/var/lib/keepwatch');
    expect(Number(valuesOf('TimeoutStopSec')[0]) * 1000).toBeGreaterThan(LIMIT_MS);
  });

  test.runIf(isLinux)(
    'starts a program that stops within 10 s when its main process alone gets SIGTERM',
    async () => {
      const [start = ''] = valuesOf('ExecStart');
      const words = start
        .replaceAll('/opt/keepwatch', PROJECT)
        .replace(/^\/usr\/bin\/node/, process.execPath)
        .split(' ');
      const program = await startWholeProgram(words);
      program.outer.kill('SIGTERM');
      expect(await leftAfter(program, LIMIT_MS)).toEqual([]);
      expect(await program.exitCode).toBe(0);
      expect(wasStoppedCleanly(program.dataDir)).toBe(true);
    },
    240_000,
  );
});

describe.runIf(canBeFirst)('the container', () => {
  test('is built by its steps, and stops within 10 s when its first process gets SIGTERM', async () => {
    const root = await testDataDir();
    mkdirSync(join(root, 'opt'), { recursive: true });
    const built = build(readContainerfile(join(PROJECT, 'deploy/Containerfile')), PROJECT, root);
    for (const folder of ['opt', 'opt/keepwatch']) chmodSync(join(root, folder), 0o755);
    chmodSync(join(root, 'data'), 0o711); // the account is root here, whose PostgreSQL is another account's
    const { PORT: _, ...rest } = built.environment;
    const environment = { ...rest, HOST: '127.0.0.1' };
    const program = await startWholeProgram(
      ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child', ...built.command],
      { dataDir: join(root, 'data'), environment, folder: built.folder },
    );
    const [first] = childrenOf(program.outer.pid ?? 0);
    process.kill(first ?? 0, 'SIGTERM');
    expect(await leftAfter(program, LIMIT_MS)).toEqual([]);
    expect(await program.exitCode).toBe(0);
    expect(wasStoppedCleanly(program.dataDir)).toBe(true);
  }, 600_000);
});

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
}
