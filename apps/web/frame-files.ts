import type { Plugin } from 'vite';
import { withImports } from './with-imports.ts';

const START = '<script src="/start.js">';
const SHELL = /\/src\/shell\/shell\.tsx$/;

/** What is asked of a file of the build. */
interface BuiltFile {
  facadeModuleId?: string | null;
  isEntry?: boolean;
  imports?: readonly string[];
}

/**
 * Names the files of the frame around every screen to `public/start.js`, which asks for them where a user is signed in: otherwise they are only asked for
 * once the first file has come and has been evaluated.
 */
export function frameFiles(): Plugin {
  return {
    name: 'frame-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        if (!html.includes(START))
          throw new Error(`index.html has no ${START}: the files of the frame cannot be named to it.`);
        const files = filesOfFrame(bundle as Readonly<Record<string, BuiltFile>>);
        const names = files.map((file) => `/${file}`).join(' ');
        return html.replace(START, `<script src="/start.js" data-frame="${names}">`);
      },
    },
  };
}

/** The shell's file and all that it imports, without what the page has anyway. */
export function filesOfFrame(bundle: Readonly<Record<string, BuiltFile>>): string[] {
  const names = Object.keys(bundle);
  const entry = withImports(
    bundle,
    names.filter((name) => bundle[name]?.isEntry === true),
  );
  const isShell = (name: string) => SHELL.test(bundle[name]?.facadeModuleId ?? '');
  if (!names.some(isShell))
    throw new Error(`No file of the build is that of ${SHELL.source}: the files of the frame cannot be named.`);
  const shell = withImports(bundle, names.filter(isShell));
  return [...shell].filter((name) => !entry.has(name));
}
