// A client in Python, which knows nothing of verdict, signs its checks through a capture; the file is replayed as it was.

import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startServing } from "../cli/serving-process.ts";
import { PROGRAM, testHome } from "../cli/verdict-process.ts";

const PYTHON = "/usr/bin/python3";
const hasPython = spawnSync(PYTHON, ["-c", "import http.client"]).status === 0;
if (!hasPython) process.stderr.write('The test with a client in Python is skipped: install "python3".\n');

/** Signs after draft-cavage-http-signatures-12, and prints the body of each answer. */
const CLIENT = `
import base64, email.utils, hashlib, hmac, json, sys, urllib.request, uuid
url, key_id, project_id, secret = sys.argv[1:5]
for n in range(int(sys.argv[5])):
    order = "force-block-%d" % n if n % 10 == 3 else "o-%d" % n
    body = json.dumps({"operation": "payment", "order_id": order, "amount": 1000 + n, "currency": 980,
        "payer": {"email": "jane%d@shop.example" % (n % 7)}, "card": {"bin_card": 411111, "cin_card": 1000 + n % 5}}).encode()
    headers = {"Host": url.split("/")[2], "Date": email.utils.formatdate(usegmt=True),
        "Digest": "SHA-256=" + base64.b64encode(hashlib.sha256(body).digest()).decode(),
        "Content-Type": "application/json", "X-Request-Id": str(uuid.uuid4()), "X-Key-Id": key_id, "X-Project-Id": project_id}
    names = ["(request-target)"] + [name.lower() for name in headers]
    lines = ["(request-target): post /v1/check"] + ["%s: %s" % (name.lower(), value) for name, value in headers.items()]
    digest = hmac.new(secret.encode(), "\\n".join(lines).encode(), hashlib.sha256).digest()
    headers["Authorization"] = 'Signature keyId="%s",algorithm="hmac-sha256",headers="%s",signature="%s"' % (
        key_id, " ".join(names), base64.b64encode(digest).decode())
    request = urllib.request.Request(url + "/v1/check", data=body, headers=headers, method="POST")
    print(json.loads(urllib.request.urlopen(request).read())["code"], flush=True)
`;

it.runIf(hasPython)("is replayed in the same order, at the same times, to the same verdicts", async () => {
  const home = testHome();
  onTestFinished(() => home.remove());
  const serving = await startServing(home);
  onTestFinished(() => void serving.child.kill("SIGKILL"));
  const { companies } = JSON.parse(
    readFileSync(join(home.folder, "serving", "integration-keys.json"), "utf8"),
  ) as { companies: { company_id: string; integration_keys: { key_id: string; secret: string }[] }[] };
  const [{ company_id, integration_keys }] = companies as [(typeof companies)[0]];
  const succeed = async (words: string, input = ""): Promise<string> => {
    const { code, stdout, stderr } = await home.run(words, { input });
    expect({ words, code, stderr: code === 0 ? "" : stderr }).toEqual({ words, code: 0, stderr: "" });
    return stdout;
  };
  await succeed(`profile add staging --base-url ${serving.url} --credential-wait 0`);
  const [key] = integration_keys;
  await succeed(
    `vault add --profile staging --key-id ${key!.key_id} --company-id ${company_id} --secret-stdin`,
    key!.secret,
  );
  await succeed(
    "project register --profile staging --merchant-id shop --name S --currency UAH --risk-level low --wait",
  );
  const [credential] = (await home.json("vault list --profile staging --json")).filter(
    ({ kind }) => kind === "project_credential",
  );
  const secret = (await succeed(`vault show ${String(credential!["id"])} --raw`)).trim();

  const words = "capture --profile staging --listen 127.0.0.1:0 --output day.ndjson".split(" ");
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, ...words], {
    cwd: home.folder,
    env: home.env,
    stdio: "pipe",
  });
  let said = "";
  child.stdout!.setEncoding("utf8").on("data", (text: string) => (said += text));
  await expect.poll(() => said, { timeout: 30_000 }).toContain("Checks are written");
  const [url = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
  const client = spawn(PYTHON, [
    "-c",
    CLIENT,
    url,
    String(credential!["key_id"]),
    String(credential!["project_id"]),
    secret,
    "60",
  ]);
  let codes = "";
  let failed = "";
  client.stdout.setEncoding("utf8").on("data", (text: string) => (codes += text));
  client.stderr.setEncoding("utf8").on("data", (text: string) => (failed += text));
  const [exit] = (await once(client, "close")) as [number];
  expect({ exit, failed }).toEqual({ exit: 0, failed: "" });
  const verdicts = codes.trim().split("\n");
  child.kill("SIGTERM");
  expect(await once(child, "close")).toEqual([0, null]);

  type Line = { at: string; answer: { verdict: string }; request: { order_id: string } };
  const text = readFileSync(join(home.folder, "day.ndjson"), "utf8");
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  expect(lines.map(({ answer }) => answer.verdict)).toEqual(verdicts);
  expect(text).not.toContain(secret);
  expect(text).not.toMatch(/signature|authorization|x-key-id/i);

  const replayed = await home.run(
    "replay day.ndjson --isolated --rules starter --project shop/low --json --max-flips 0",
  );
  const results = replayed.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const items = results
    .filter(({ type }) => type === "result")
    .toSorted((a, b) => Number(a["seq"]) - Number(b["seq"]));
  expect(items.map(({ was }) => was)).toEqual(verdicts);
  expect(items.map(({ recommendation }) => recommendation)).toEqual(verdicts);
  expect(replayed.code, replayed.stderr).toBe(0);
});
