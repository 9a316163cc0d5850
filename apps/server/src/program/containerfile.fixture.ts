import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob, relative } from 'node:path';

export interface Instruction {
  name: string;
  text: string;
}

/** The instructions of a container file, in their order; comments and line breaks after `\` are gone. */
export function readContainerfile(file: string): Instruction[] {
  const lines = readFileSync(file, 'utf8')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n');
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => ({ name: line.split(' ')[0] ?? '', text: line.slice(line.indexOf(' ') + 1).trim() }));
}

/** What a container starts with: its command, environment, and the folder it works in. */
export interface Built {
  command: string[];
  environment: Record<string, string>;
  folder: string;
}

/**
 * Carries out a container file without an engine: `/` is the folder `root`, the account is ours, and the image it begins with is
 * this machine. Instructions that only describe the image do nothing; one that is not known is an error.
 */
export function build(instructions: readonly Instruction[], context: string, root: string): Built {
  const built: Built = { command: [], environment: {}, folder: root };
  /** Absolute paths of the container, as they are inside `root`. */
  const inRoot = (text: string) => text.replace(/(^|[\s=])\/(data|var|opt)\b/g, `$1${root}/$2`);
  const steps: Record<string, (text: string) => void> = {
    WORKDIR(text) {
      built.folder = inRoot(text);
      mkdirSync(built.folder, { recursive: true });
    },
    COPY(text) {
      if (text !== '. .') throw new Error(`COPY ${text} is not known here.`);
      copyContext(context, built.folder);
    },
    RUN(text) {
      const account = `${process.getuid?.()}:${process.getgid?.()}`;
      run(inRoot(text).replaceAll('node:node', account), built);
    },
    ENV(text) {
      for (const pair of text.split(' ')) {
        const [name = '', value = ''] = pair.split('=');
        built.environment[name] = inRoot(value);
      }
    },
    CMD(text) {
      built.command = JSON.parse(text);
    },
  };
  const descriptions = ['FROM', 'USER', 'VOLUME', 'EXPOSE', 'STOPSIGNAL', 'HEALTHCHECK'];
  for (const { name, text } of instructions) {
    if (descriptions.includes(name)) continue;
    const step = steps[name];
    if (step === undefined) throw new Error(`The instruction ${name} is not known here.`);
    step(text);
  }
  return built;
}

function copyContext(from: string, to: string): void {
  const file = join(from, '.dockerignore');
  const ignored = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => /^[^#]/.test(line))
    : [];
  const isCopied = (path: string) => !ignored.some((pattern) => matchesGlob(relative(from, path), pattern));
  cpSync(from, to, { recursive: true, filter: isCopied, verbatimSymlinks: true });
}

/** As the image would: no account's settings, and packages from the store of npm where they are in it. */
function run(command: string, { folder, environment }: Built): void {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, npm_config_prefer_offline: 'true', ...environment };
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], { cwd: folder, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`RUN ${command} ended with ${status}:\n${stdout}${stderr}`);
}
