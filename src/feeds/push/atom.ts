import { parseXml, type XmlElement, type XmlNode } from "@rgrove/parse-xml";

/** What a feed's document tells: videos of a channel that are new, or were changed. */
export interface Told {
  readonly videoId: string;
  readonly channelId: string;
}

/** A hub sends one entry, or a few; this is room for dozens. Four times as much takes the parser 80 ms. */
export const mostBytes = 64 * 1024;
const mostEntries = 50;
/** Deeper than any feed; the parser goes down one call a level. */
const deepest = 64;

const videoId = /^[\w-]{11}$/u;
const channelId = /^UC[\w-]{22}$/u;

/**
 * The videos that an Atom document names; deletions, which stand beside entries, are left out. Undefined for what is no
 * such document: too large, not well-formed, with a document type (which is how entities of one's own come in).
 */
export function readAtom(body: Uint8Array): readonly Told[] | undefined {
  if (body.byteLength > mostBytes) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    if (/<!DOCTYPE/iu.test(text) || depthOf(text) > deepest) return undefined;
    const { root } = parseXml(text);
    if (root === null || localName(root.name) !== "feed") return undefined;
    return childrenOf(root, "entry").slice(0, mostEntries).flatMap(readEntry);
  } catch {
    return undefined;
  }
}

/** Counted before anything is built of it; what looks like a tag in a comment may count too. */
function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  for (const [tag] of text.matchAll(/<\/?[A-Za-z_:][^<>]*>/gu)) {
    if (tag.startsWith("</")) depth -= 1;
    else if (!tag.endsWith("/>")) depth += 1;
    most = Math.max(most, depth);
  }
  return most;
}

function readEntry(entry: XmlElement): readonly Told[] {
  const [video] = childrenOf(entry, "videoId");
  const [channel] = childrenOf(entry, "channelId");
  const told = { videoId: textOf(video), channelId: textOf(channel) };
  return videoId.test(told.videoId) && channelId.test(told.channelId) ? [told] : [];
}

function childrenOf({ children }: XmlElement, name: string): readonly XmlElement[] {
  return children.filter(
    (child): child is XmlElement => isElement(child) && localName(child.name) === name,
  );
}

function isElement(node: XmlNode): node is XmlElement {
  return node.type === "element";
}

/** Prefixes are the document's own choice. */
function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function textOf(element: XmlElement | undefined): string {
  return element?.text.trim() ?? "";
}
