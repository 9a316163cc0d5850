import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningTenant } from '../../../../sandbox/src/microsoft365/server.ts';
import { createRepository } from '../../engine.ts';
import { openFolderStore } from '../../store/folder/folder-store.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { CHEAP, PASSWORD } from '../../testing/test-parts.ts';

const PROGRAM = new URL('../main.ts', import.meta.url).pathname;

export interface Ended {
  /** As shells have it: after a signal, 128 and its number. */
  exitCode: number;
  out: string;
  problems: string;
  /** Lines of JSON, for a command with `--json`. */
  lines: Record<string, unknown>[];
}

export interface Started {
  /** The program's first line that fits, of results and problems; fails when it ends without one. */
  line(fits: RegExp): Promise<string>;
  signal(name: NodeJS.Signals): void;
  ended: Promise<Ended>;
}

/** Makes a repository with a password that costs little to check: each command opens it again. */
export async function makeRepositoryIn(store: ObjectStore): Promise<void> {
  await createRepository(store, PASSWORD, { passwordCost: CHEAP });
}

/** A folder to work in, and the program started in it as a person would: a process of its own. */
export class CommandLine {
  readonly folder: string;
  readonly repository: string;
  private readonly environment: Record<string, string>;
  private readonly children = new Set<ChildProcess>();

  private constructor(folder: string, environment: Record<string, string>) {
    this.folder = folder;
    this.repository = join(folder, 'repository');
    this.environment = {
      KEEPWATCH_REPOSITORY: this.repository,
      KEEPWATCH_REPOSITORY_PASSWORD: PASSWORD,
      KEEPWATCH_TENANT: join(folder, 'tenant.json'),
      KEEPWATCH_ENGINE_DATA: join(folder, 'data'),
      ...environment,
    };
  }

  static async open(environment: Record<string, string> = {}): Promise<CommandLine> {
    const folder = await mkdtemp(join(tmpdir(), 'keepwatch-command-line-'));
    await chmod(folder, 0o711);
    return new CommandLine(folder, environment);
  }

  close(): Promise<void> {
    // What a failed test left running ends with it.
    for (const child of this.children) child.kill('SIGKILL');
    return rm(this.folder, { recursive: true, force: true });
  }

  /** Makes its repository, or one in another folder, where `init` is not what is tried. */
  async makeRepository(folder = this.repository): Promise<void> {
    const store = await openFolderStore(folder);
    await makeRepositoryIn(store);
    await store.close();
  }

  /** Writes a file and gives its path. */
  async file(name: string, content: unknown): Promise<string> {
    const path = join(this.folder, name);
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }

  async writeTenant(
    tenant: Pick<RunningTenant, 'tenantId' | 'loginUrl' | 'graphUrl'> & Partial<Pick<RunningTenant, 'sharePointUrl'>>,
    application: object,
    name = 'tenant.json',
  ) {
    const { tenantId, loginUrl, graphUrl, sharePointUrl } = tenant;
    return this.file(name, { tenantId, loginUrl, graphUrl, sharePointUrl, applications: [application] });
  }

  run(args: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
    return this.start(args, environment).ended;
  }

  start(args: readonly string[], environment: Record<string, string> = {}): Started {
    const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env;
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      env: { PATH, HOME, NODE_COMPILE_CACHE, TZ: 'UTC', ...this.environment, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, problems] = ['', ''];
    const waiting: (() => void)[] = [];
    const look = () => {
      for (const wake of waiting) wake();
    };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      look();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      problems += text;
      look();
    });
    const ended = new Promise<Ended>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => {
        const exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
        resolve({ exitCode, out, problems, lines: args.includes('--json') ? jsonLines(out) : [] });
        look();
      });
    });
    this.children.add(child);
    child.on('close', () => this.children.delete(child));
    const line = (fits: RegExp) =>
      new Promise<string>((resolve, reject) => {
        const find = () => {
          const found = `${out}\n${problems}`.split('\n').find((one) => fits.test(one));
          if (found !== undefined) resolve(found);
          else if (child.exitCode !== null || child.signalCode !== null)
            reject(new Error(`It ended without ${fits}:\n${out}${problems}`));
        };
        waiting.push(find);
        find();
      });
    return { line, signal: (name) => void child.kill(name), ended };
  }
}

function jsonLines(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Record<string, unknown> => JSON.parse(line));
}
