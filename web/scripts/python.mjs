// Runs the project's Python: the virtual environment's, or the one named by PYTHON.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** Maximum output of a program, in bytes. */
const MAX_OUTPUT = 2 ** 25;

/** The output of a Python program; `args` as on its command line. */
export function python(...args) {
  const venv = resolve(root, ".venv/bin/python");
  const program = process.env.PYTHON ?? (existsSync(venv) ? venv : "python3");
  return execFileSync(program, args, {
    cwd: root,
    encoding: "utf-8",
    maxBuffer: MAX_OUTPUT,
    env: { ...process.env, PYTHONPATH: resolve(root, "src") },
  });
}
