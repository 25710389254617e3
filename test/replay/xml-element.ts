// XML read back by a strict, independent parser, as a plain tree.

import { SaxesParser } from "saxes";

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

/** @throws for anything that is not well-formed XML 1.0 */
export function readXml(xml: string): XmlElement {
  const parser = new SaxesParser();
  const top: XmlElement = { name: "", attributes: {}, children: [], text: "" };
  const open = [top];
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes: { ...attributes }, children: [], text: "" };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on("closetag", () => void open.pop());
  parser.on("text", (text) => (open.at(-1)!.text += text));
  parser.write(xml).close();
  return top.children[0]!;
}
