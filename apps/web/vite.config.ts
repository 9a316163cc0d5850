import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { frameFiles } from './frame-files.ts';
import { precompressed } from './precompressed.ts';
import { SHARED_FILES } from './shared-files.ts';

const SERVER = 'http://127.0.0.1:8080';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), frameFiles(), precompressed()],
  server: { host: '127.0.0.1', port: 5173, proxy: { '/api': { target: SERVER, changeOrigin: false } } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // The content security policy allows no data: scripts, and small files are cheap over one connection.
    assetsInlineLimit: 0,
    manifest: true,
    // Every browser of this target preloads modules without it.
    modulePreload: { polyfill: false },
    // One style sheet, asked for with the page: a screen's code does not wait for a sheet of its own.
    cssCodeSplit: false,
    // The first file names all others: names of modules in them would be a kilobyte of every first visit. The manifest says which is which.
    rollupOptions: {
      output: {
        chunkFileNames: 'assets/[hash].js',
        codeSplitting: { includeDependenciesRecursively: false, groups: SHARED_FILES },
      },
    },
  },
  test: {
    environment: 'happy-dom',
    // What a page has of other hosts is not loaded: a test needs no network.
    environmentOptions: {
      happyDOM: {
        settings: {
          disableIframePageLoading: true,
          disableJavaScriptFileLoading: true,
          handleDisabledFileLoadingAsSuccess: true,
        },
      },
    },
    setupFiles: ['./src/testing/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}', '*.test.ts'],
    // All files of a worker share one page: creating it for each takes longer than the tests. setup.ts clears it.
    isolate: false,
    maxWorkers: 2,
    // Longer than the longest wait within a test (setup.ts), so that a busy machine fails none.
    testTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    restoreMocks: true,
    unstubGlobals: true,
  },
});
