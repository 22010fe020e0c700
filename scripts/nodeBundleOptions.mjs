import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/**
 * The AI SDK imports all of zod, whose 50 locales make a quarter of a megabyte; its errors are shown in English only.
 * @type {import("esbuild").Plugin}
 */
const zodLocalesPlugin = {
  name: "zod-locales",
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: `export { default as en } from "./en.js";`,
      loader: "js",
    }));
  },
};

/**
 * What a dynamic import reaches is set up lazily; zod is among it, and says in its package.json that it has no side effects.
 * esbuild then drops the call that sets zod up for everybody else, and the bundle fails as soon as it is loaded.
 * @type {import("esbuild").Plugin}
 */
const zodSetupPlugin = {
  name: "zod-setup",
  setup(build) {
    build.onResolve({ filter: /^zod(?:\/|$)/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === "zod-setup") return undefined;
      const { importer, kind, namespace, resolveDir } = from;
      const found = await build.resolve(path, {
        importer,
        kind,
        namespace,
        resolveDir,
        pluginData: "zod-setup",
      });
      return { ...found, sideEffects: true };
    });
  },
};

/** How code of ours becomes a bundle that runs in Node: the extension, the SDK, the tests in the extension host, the benches. */
export const nodeBundleOptions = {
  bundle: true,
  platform: /** @type {const} */ ("node"),
  format: /** @type {const} */ ("cjs"),
  target: "node20",
  external: ["vscode"],
  // The package's "main" is a UMD build whose inner require() calls no bundler can follow.
  alias: { "jsonc-parser": require.resolve("jsonc-parser/lib/esm/main.js") },
  // Dependencies call createRequire(import.meta.url), which is undefined in CommonJS.
  define: { "import.meta.url": "__bundleUrl" },
  banner: { js: `const __bundleUrl = require("node:url").pathToFileURL(__filename).href;` },
  plugins: [zodSetupPlugin, zodLocalesPlugin],
  logLevel: /** @type {const} */ ("warning"),
};
