/** What imports what in a build, by whatever names it has its files or modules. */
type Imports = Readonly<Record<string, { imports?: readonly string[] } | undefined>>;

/** These and all that they always load, each once. What the build does not have is passed over. */
export function withImports(build: Imports, names: readonly string[]): Set<string> {
  const all = new Set<string>();
  const visit = (name: string) => {
    const one = build[name];
    if (one === undefined || all.has(name)) return;
    all.add(name);
    for (const imported of one.imports ?? []) visit(imported);
  };
  for (const name of names) visit(name);
  return all;
}
