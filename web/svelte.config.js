import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

/** The components by the class that scopes their styles. */
const scopes = new Map();

/** A short class: each element of a component has it, on the wire too. */
function cssHash({ hash, filename }) {
  const scope = `s${hash(filename).slice(0, 4)}`;
  const other = scopes.get(scope) ?? filename;
  if (other !== filename) throw new Error(`${filename} and ${other} have the same scope; make it longer`);
  scopes.set(scope, filename);
  return scope;
}

export default { preprocess: vitePreprocess(), compilerOptions: { cssHash } };
