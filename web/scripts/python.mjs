// Runs the project's Python: the virtual environment's, or the one named by PYTHON.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** Bytes that a program may print. */
const MOST = 2 ** 25;

/** What a Python program prints; `args` as on its command line. */
export function python(...args) {
  const venv = resolve(root, ".venv/bin/python");
  const program = process.env.PYTHON ?? (existsSync(venv) ? venv : "python3");
  return execFileSync(program, args, {
    cwd: root,
    encoding: "utf-8",
    maxBuffer: MOST,
    env: { ...process.env, PYTHONPATH: resolve(root, "src") },
  });
}
