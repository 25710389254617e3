// The licences of the bundled packages: MIT, BSD and ISC require their text in every copy.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const LICENCE = /^(?:licen[cs]e|copying|notice)/i;

/** Packages without a licence file: licence and owner by their manifests and sources. */
const STATED: Readonly<Record<string, string>> = {
  "@redis/client": mit("2022-2023, Redis, inc."),
  "abstract-logging": mit("James Sumners"),
  "ink-table": mit("Matic Zavadlal"),
  "yoga-layout": mit("Meta Platforms, Inc. and affiliates."),
};

/**
 * Name, version and licence texts of every package that is in the bundles.
 * @param inputs paths of the bundled files from the root on, as esbuild's metafile has them
 * @throws Error naming the packages without a licence text
 */
export function thirdPartyNotices(root: string, inputs: Iterable<string>): string {
  const folders = new Set<string>();
  for (const input of inputs) {
    const [folder] = /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [];
    if (folder !== undefined) folders.add(folder);
  }
  const notices = new Map<string, string>();
  const without: string[] = [];
  for (const folder of folders) {
    const { name, version, license } = JSON.parse(
      readFileSync(join(root, folder, "package.json"), "utf8"),
    ) as {
      name: string;
      version: string;
      license?: string;
    };
    const texts = readdirSync(join(root, folder), { withFileTypes: true })
      .filter((file) => file.isFile() && LICENCE.test(file.name))
      .map((file) => readFileSync(join(root, folder, file.name), "utf8").trim());
    if (texts.length === 0 && STATED[name] !== undefined) texts.push(STATED[name]);
    if (texts.join("") === "") without.push(`${name} ${version}`);
    notices.set(`${name} ${version} (${license ?? "licence as below"})`, texts.join("\n\n"));
  }
  if (without.length > 0) throw new Error(`There is no licence text of ${without.sort().join(", ")}`);
  const parts = [...notices.keys()]
    .sort()
    .map((head) => `${"-".repeat(80)}\n${head}\n\n${notices.get(head)}\n`);
  return `verdict is built with the packages below.\n\n${parts.join("\n")}`;
}

/** The text of the MIT licence. */
function mit(owner: string): string {
  return `Copyright (c) ${owner}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software
is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR
IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
}
