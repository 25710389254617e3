// The JSON Schemas of the build, and where an editor finds them.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isSingleExecutable, programFile, programFiles, programUrl } from "#src/storage/program-files.ts";

export interface SchemaFile {
  readonly name: string;
  readonly title: string;
  /** Of its file; null where there is none but inside the single executable. */
  readonly path: string | null;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Those of files before those of output. */
export function schemaFiles(): SchemaFile[] {
  const files = programFiles("schemas").map((file) => {
    const name = file.replace(/\.json$/, "");
    const schema = JSON.parse(programFile(`schemas/${file}`).toString("utf8")) as SchemaFile["schema"];
    return { name, title: String(schema["title"]), path: schemaPath(name), schema };
  });
  const rank = ({ name }: SchemaFile): string => `${name.includes("-") ? 1 : 0}${name}`;
  return files.sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

/** The comment by which editors with yaml-language-server find the schema of a YAML file. */
export function schemaComment(name: string): string {
  const path = schemaPath(name);
  if (path === null) return `# Its schema, for editors: verdict schema ${name}`;
  return `# yaml-language-server: $schema=${pathToFileURL(path).href}`;
}

function schemaPath(name: string): string | null {
  if (!isSingleExecutable()) return fileURLToPath(programUrl(`schemas/${name}.json`));
  // As the Debian package has them.
  const path = join(dirname(process.execPath), "../share/verdict/schemas", `${name}.json`);
  return existsSync(path) ? path : null;
}
