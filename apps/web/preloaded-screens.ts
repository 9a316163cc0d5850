import type { Plugin, Rollup } from 'vite';

type Bundle = Rollup.OutputBundle;

const SHELL = /\/shell\/shell\.tsx$/;
const SCREEN = /\/([\w-]+)\.screen\.tsx$/;
const START_SCRIPT = '<script src="/start.js"';

/**
 * Tells the page, before any of its code is there, which files a screen for signed-in users consists of, so that they come with the first
 * ones and not after them: as data of `start.js`, which knows who is signed in.
 */
export function preloadedScreens(): Plugin {
  return {
    name: 'preloaded-screens',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle, chunk }) {
        if (bundle === undefined || chunk === undefined) return html;
        const files = JSON.stringify(screenFiles(bundle, chunk.fileName)).replaceAll('"', '&quot;');
        return html.replace(START_SCRIPT, `<script data-screens="${files}" src="/start.js"`);
      },
    },
  };
}

/** The files of each screen, by its name, without those that the page begins with. */
export function screenFiles(bundle: Bundle, entry: string): Record<string, string[]> {
  const chunks = Object.values(bundle).filter(
    (file) => file.type === 'chunk' && file.isDynamicEntry,
  ) as Rollup.OutputChunk[];
  const known = new Set(withImports(bundle, entry));
  const filesOf = (chunk: Rollup.OutputChunk) => withImports(bundle, chunk.fileName).filter((file) => !known.has(file));
  const shell = chunks.find(({ facadeModuleId }) => SHELL.test(facadeModuleId ?? ''));
  const ofShell = shell === undefined ? [] : filesOf(shell);
  return Object.fromEntries(
    chunks.flatMap((chunk) => {
      const name = SCREEN.exec(chunk.facadeModuleId ?? '')?.[1];
      return name === undefined ? [] : [[name, [...new Set([...ofShell, ...filesOf(chunk)])]]];
    }),
  );
}

function withImports(bundle: Bundle, fileName: string, seen: Set<string> = new Set()): string[] {
  const chunk = bundle[fileName];
  if (seen.has(fileName) || chunk?.type !== 'chunk') return [];
  seen.add(fileName);
  for (const imported of chunk.imports) withImports(bundle, imported, seen);
  return [...seen];
}
