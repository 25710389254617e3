// The JSON Schemas beside the program, which the build wrote.

import { readdirSync, readFileSync } from "node:fs";

const FOLDER = import.meta.url.endsWith(".ts") ? "../../dist/schemas/" : "schemas/";

export interface SchemaFile {
  readonly name: string;
  readonly title: string;
  readonly url: URL;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Those of files before those of output. */
export function schemaFiles(): SchemaFile[] {
  const files = readdirSync(new URL(FOLDER, import.meta.url)).map((file) => {
    const url = schemaUrl(file.replace(/\.json$/, ""));
    const schema = JSON.parse(readFileSync(url, "utf8")) as SchemaFile["schema"];
    return { name: file.replace(/\.json$/, ""), title: String(schema["title"]), url, schema };
  });
  const rank = ({ name }: SchemaFile): string => `${name.includes("-") ? 1 : 0}${name}`;
  return files.sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

/** The comment by which editors with yaml-language-server find the schema of a YAML file. */
export function schemaComment(name: string): string {
  return `# yaml-language-server: $schema=${schemaUrl(name).href}`;
}

function schemaUrl(name: string): URL {
  return new URL(`${FOLDER}${name}.json`, import.meta.url);
}
