// What a transcript can do besides running verdict: a service that answers as it is told, files, and the shell.

import { spawnSync } from "node:child_process";
import { onTestFinished } from "vitest";
import { splitWords } from "#src/terminal/editor.ts";
import {
  answer,
  cut,
  startHostileService,
  type Behaviour,
  type HostileService,
  type SeenRequest,
} from "../client/hostile-service.ts";
import type { Printed } from "./in-process.ts";
import type { Values } from "./transcript-lines.ts";

export type Tool = (line: Typed) => Promise<Printed>;

const said = (stdout = ""): Printed => ({ code: 0, stdout, stderr: "" });

/** Tools for one test, by the word that calls them. */
export function toolsOf(values: Values): Readonly<Record<string, Tool>> {
  const services = new Map<string, HostileService>();
  return {
    // service [NAME:] ANSWER...: what it answers from now on, the last one to all that follow, except TEXT=ANSWER, which is
    // for the bodies with the text; $NAME is where it is, $url without a name.
    async service({ words: [, first = "", ...rest] }) {
      const name = /^(\w+):$/.exec(first)?.[1];
      const behaviours = behavioursOf(name === undefined ? [first, ...rest] : rest);
      const known = services.get(name ?? "url");
      if (known !== undefined) known.play(...behaviours);
      else {
        const service = await startHostileService(behaviours);
        onTestFinished(() => service[Symbol.asyncDispose]());
        services.set(name ?? "url", service);
        values.set(name ?? "url", service.url).set("port", new URL(service.url).port);
      }
      return said();
    },
    // requests [NAME] [--whole]: the bodies that it got since; with --whole what stands above them, too.
    requests({ words: [, ...words] }) {
      const [name = "url"] = words.filter((word) => word !== "--whole");
      const shown = ({ line, headers, body }: SeenRequest): string => {
        const head = [line, ...[...headers].map((each) => each.join(": "))];
        return [...(words.includes("--whole") ? head : []), body].map((text) => `${text}\n`).join("");
      };
      return Promise.resolve(said(services.get(name)?.requests.map(shown).join("")));
    },
  };
}

function behavioursOf(answers: readonly string[]): Behaviour[] {
  const chosen = answers.flatMap((text) => {
    const [, part, its] = /^([\w:,-]+)=(.+)$/.exec(text) ?? [];
    return part === undefined ? [] : [{ part, does: behaviourOf(its!) }];
  });
  return answers
    .filter((text) => !/^[\w:,-]+=/.test(text))
    .map(behaviourOf)
    .map((does): Behaviour => (socket, request) => {
      const its = chosen.find(({ part }) => request.body.includes(part));
      (its?.does ?? does)(socket, request);
    });
}

/** A verdict, "cut", or a status, with a type behind a blank and a body behind a colon. */
function behaviourOf(text: string): Behaviour {
  if (text === "cut") return cut;
  const [, status, type, body = "{}"] = /^(\d{3})(?: ([^:]+))?(?::([^]*))?$/.exec(text) ?? [];
  if (status === undefined) {
    return answer(200, JSON.stringify({ status: "success", code: text, message: "Fine." }));
  }
  return answer(Number(status), body, {
    ...(status === "503" || status === "404" ? { "retry-after": "0" } : {}),
    ...(type === undefined ? {} : { "content-type": type }),
  });
}

export interface Typed {
  readonly env: NodeJS.ProcessEnv;
  readonly words: readonly string[];
  /** The file behind "<". */
  readonly stdin?: string | undefined;
  /** The file behind ">". */
  readonly stdout?: string | undefined;
}

/** NAME=value before the words, as a shell reads them, and files at their end. */
export function typed(command: string): Typed {
  const words = splitWords(command);
  const first = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const env = Object.fromEntries(words.slice(0, first).map((word) => /^(\w+)=([^]*)$/.exec(word)!.slice(1)));
  const end = words.findIndex((word) => word === "<" || word === ">");
  const file = (sign: string): string | undefined => words[words.indexOf(sign) + 1 || words.length];
  return { env, words: words.slice(first, end < 0 ? undefined : end), stdin: file("<"), stdout: file(">") };
}

/** What a shell prints for the line. */
export function shell(line: string, input = ""): Printed {
  const { status, stdout, stderr } = spawnSync("sh", ["-c", line], { input, encoding: "utf8" });
  return { code: status ?? 128, stdout, stderr };
}
