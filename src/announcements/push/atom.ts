import { parseXml, XmlElement } from "@rgrove/parse-xml";

/** A video in a pushed document: new or changed. */
interface PushedEntry {
  readonly videoId: string;
  readonly channelId: string;
}

/** A hub sends one entry or a few, and this is enough for dozens. Parsing four times as much takes 80 ms. */
export const maxAtomBytes = 64 * 1024;
const maxEntries = 50;
/** Deeper than any feed; the parser recurses once per level. */
const maxDepth = 64;

const videoId = /^[\w-]{11}$/u;
const channelId = /^UC[\w-]{22}$/u;

/**
 * Reads the videos in an Atom document. Deletions are not entries, and are ignored. Undefined for a document that is too large,
 * not well-formed or not Atom, or that has a document type, which could declare entities.
 */
export function readAtom(body: Uint8Array): readonly PushedEntry[] | undefined {
  if (body.byteLength > maxAtomBytes) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    if (/<!DOCTYPE/iu.test(text) || measureDepth(text) > maxDepth) return undefined;
    const { root } = parseXml(text);
    if (root === null || localName(root.name) !== "feed") return undefined;
    return findChildren(root, "entry")
      .slice(0, maxEntries)
      .map((entry) => ({
        videoId: readText(findChildren(entry, "videoId")[0]),
        channelId: readText(findChildren(entry, "channelId")[0]),
      }))
      .filter((pushed) => videoId.test(pushed.videoId) && channelId.test(pushed.channelId));
  } catch {
    return undefined;
  }
}

/** Counted before parsing; what looks like a tag in a comment may count too. */
function measureDepth(text: string): number {
  let depth = 0;
  let most = 0;
  for (const [tag] of text.matchAll(/<\/?[A-Za-z_:][^<>]*>/gu)) {
    if (tag.startsWith("</")) depth -= 1;
    else if (!tag.endsWith("/>")) depth += 1;
    most = Math.max(most, depth);
  }
  return most;
}

function findChildren({ children }: XmlElement, name: string): readonly XmlElement[] {
  return children.filter(
    (child): child is XmlElement => child instanceof XmlElement && localName(child.name) === name,
  );
}

/** The name without its prefix, which each document chooses itself. */
function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function readText(element: XmlElement | undefined): string {
  return element?.text.trim() ?? "";
}
