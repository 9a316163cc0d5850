// What must not wait for the page's code. A file of its own, not inline: the content security policy allows no inline script. Not a
// module: modules run too late. The key is COLOR_SCHEME_KEY of src/kit/color-scheme.ts.
(() => {
  const stored = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      // The browser's settings can forbid storage; then no user is signed in, and the system's scheme is used.
      return null;
    }
  };
  // Dark or light before the first paint, so that nothing flashes.
  let mode = stored('keepwatch.color-scheme');
  if (mode !== 'dark' && mode !== 'light') mode = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.setAttribute('data-mantine-color-scheme', mode);

  // Nearly every screen of a signed-in user has the frame around it: its files are asked for now, beside those that the page names. The build names them here
  // (frame-files.ts). The key is SESSION_KEY of src/kit/session.ts.
  if (stored('keepwatch.session') === null) return;
  for (const href of document.currentScript?.dataset.frame?.split(' ') ?? []) {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'modulepreload', crossOrigin: '', href });
    document.head.append(link);
  }
})();
