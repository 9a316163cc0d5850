// Sets dark or light before the first paint, so that nothing flashes. A file of its own, not inline: the content
// security policy allows no inline script. Not a module: modules run too late. The key is COLOR_SCHEME_KEY of
// src/kit/color-scheme.ts.
(() => {
  let mode = null;
  try {
    mode = localStorage.getItem('keepwatch.color-scheme');
  } catch {
    // Storage can be forbidden by the browser's settings; the system's scheme is used then.
  }
  if (mode !== 'dark' && mode !== 'light') mode = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.setAttribute('data-mantine-color-scheme', mode);
})();
