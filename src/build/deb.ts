// Makes a Debian package of the single executable, with its pages, completions and licences. Needs dpkg-deb.

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { documentPaths } from "./packed-documents.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const made = join(root, "dist-executable");
const { version, description } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  version: string;
  description: string;
};
const ARCHITECTURES: Partial<Record<NodeJS.Architecture, string>> = { x64: "amd64", arm64: "arm64" };
const architecture = ARCHITECTURES[process.arch];
if (architecture === undefined) throw new Error(`There is no name for ${process.arch} in Debian`);
/** Of every file, so that the same sources give the same package (reproducible-builds.org, SOURCE_DATE_EPOCH). */
const EPOCH_S = Number(process.env["SOURCE_DATE_EPOCH"] ?? Date.UTC(2026, 0, 1) / 1000);
const stage = mkdtempSync(join(tmpdir(), "verdict-deb-"));

function put(path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(stage, path)), { recursive: true, mode: 0o755 });
  writeFileSync(join(stage, path), content, { mode: 0o644 });
}

/** Policy 12.1, 12.3: pages and long documents are compressed. */
function putCompressed(path: string, content: Buffer | string): void {
  put(`${path}.gz`, gzipSync(content, { level: 9 }));
}

function completion(shell: string): Buffer {
  return execFileSync(join(made, "verdict"), ["completion", shell], { env: {} });
}

const licence = readFileSync(join(root, "LICENSE"), "utf8").trim();
const COPYRIGHT = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: verdict
Comment: The program contains Node.js (NODE-LICENSE.gz) and the packages
 of THIRD-PARTY-NOTICES.gz, both in this folder, under their own licences.

Files: *
Copyright: ${/^Copyright \(c\) (.*)$/im.exec(licence)?.[1] ?? "the verdict developers"}
License: Expat
${licence
  .split("\n")
  .map((line) => ` ${line.trim() || "."}`)
  .join("\n")}
`;

try {
  chmodSync(stage, 0o755);
  put("usr/bin/verdict", "");
  copyFileSync(join(made, "verdict"), join(stage, "usr/bin/verdict"));
  chmodSync(join(stage, "usr/bin/verdict"), 0o755);
  for (const page of globSync("dist/man/**/*.[1-8]", { cwd: root })) {
    const name = page.split(/[\\/]/).at(-1)!;
    putCompressed(`usr/share/man/man${name.at(-1)}/${name}`, readFileSync(join(root, page)));
  }
  for (const schema of globSync("*.json", { cwd: join(root, "dist/schemas") })) {
    put(`usr/share/verdict/schemas/${schema}`, readFileSync(join(root, "dist/schemas", schema)));
  }
  for (const path of documentPaths(root))
    put(`usr/share/doc/verdict/${path}`, readFileSync(join(root, path)));
  put("usr/share/bash-completion/completions/verdict", completion("bash"));
  put("usr/share/zsh/vendor-completions/_verdict", completion("zsh"));
  put("usr/share/fish/vendor_completions.d/verdict.fish", completion("fish"));
  put("usr/share/doc/verdict/copyright", COPYRIGHT);
  putCompressed(
    "usr/share/doc/verdict/THIRD-PARTY-NOTICES",
    readFileSync(join(root, "dist/THIRD-PARTY-NOTICES")),
  );
  putCompressed(
    "usr/share/doc/verdict/NODE-LICENSE",
    readFileSync(join(dirname(process.execPath), "../LICENSE")),
  );
  const changes = join(root, "CHANGELOG.md");
  if (existsSync(changes)) putCompressed("usr/share/doc/verdict/changelog", readFileSync(changes));
  const files = globSync("**/*", { cwd: stage });
  const bytes = files.reduce((sum, path) => sum + statSync(join(stage, path)).size, 0);
  put(
    "DEBIAN/control",
    `Package: verdict
Version: ${version}
Architecture: ${architecture}
Maintainer: verdict developers
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: libatomic1, libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 7)
Section: utils
Priority: optional
Description: payment risk decisions in the terminal
${`${description}.`.replaceAll(/(.{1,76})(?: |$)/g, " $1\n")}`,
  );
  for (const path of ["", ...globSync("**/*", { cwd: stage })]) {
    const { mode } = statSync(join(stage, path));
    // Whatever the umask was.
    chmodSync(join(stage, path), (mode & 0o111) === 0 ? 0o644 : 0o755);
    utimesSync(join(stage, path), EPOCH_S, EPOCH_S);
  }
  // A sixth larger than at the usual level, in a fifth of the time.
  const output = join(made, `verdict_${version}_${architecture}.deb`);
  execFileSync("dpkg-deb", ["--build", "--root-owner-group", "-Zxz", "-z1", stage, output], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, SOURCE_DATE_EPOCH: String(EPOCH_S) },
  });
  console.log(`Built ${output} (${Math.round(statSync(output).size / 1024 ** 2)} MiB)`);
} finally {
  rmSync(stage, { recursive: true, force: true });
}
