// Compresses the files of the build with Brotli, for browsers that accept it. The server compresses with gzip
// itself.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import type { Plugin } from "vite";

const COMPRESSIBLE = /^assets\/.*\.(js|css|svg)$|^sw\.js$/;

const compress = promisify(brotliCompress);

export const brotliFiles: Plugin = {
  name: "brotli-files",
  apply: "build",
  enforce: "post",
  async writeBundle({ dir = "" }, bundle) {
    const names = Object.keys(bundle).filter((name) => COMPRESSIBLE.test(name));
    await Promise.all(
      names.map(async (name) => {
        const content = await readFile(join(dir, name));
        const compressed = await compress(content, {
          params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
        });
        if (compressed.length < content.length) await writeFile(join(dir, `${name}.br`), compressed);
      }),
    );
  },
};
