import type { SentFormat } from "../types.ts";

type SniffedFormat = SentFormat | (string & {});

/** `?` matches any byte; read as Latin-1. The first row that fits wins. */
const signatures: readonly (readonly [found: string, offset: number, magic: string])[] = [
  ["jpeg", 0, "\xff\xd8\xff"],
  ["png", 0, "\x89PNG\r\n\x1a\n"],
  ["webp", 0, "RIFF????WEBP"],
  ["gif", 0, "GIF8"],
  ["tiff", 0, "II*\0"],
  ["tiff", 0, "MM\0*"],
  ["tiff", 0, "II+\0"],
  ["tiff", 0, "MM\0+"],
  ["bmp", 0, "BM"],
  ["ico", 0, "\0\0\x01\0"],
  ["psd", 0, "8BPS"],
  ["jxl", 0, "\xff\x0a"],
  ["jxl", 4, "JXL \r\n"],
  ["jp2", 4, "jP  \r\n"],
  ["pdf", 0, "%PDF-"],
  ["zip", 0, "PK\x03\x04"],
  ["webm", 0, "\x1aE\xdf\xa3"],
  ["mp4", 0, "RIFF????AVI "],
];

/** Brands of the ISO container that pictures and films share: https://mp4ra.org/registered-types/brands */
const stillBrands: Readonly<Record<string, string>> = {
  avif: "avif",
  avis: "avif",
  heic: "heic",
  heix: "heic",
  heim: "heic",
  hevc: "heic",
  hevx: "heic",
};

/** Brands that do not name the coding: one of those that follow does. */
const openBrands = new Set(["mif1", "msf1", "miaf"]);
const brandsEnd = 64;

/** Names what the bytes are, by their first few, whatever the file is called. */
export function sniffFormat(bytes: Buffer): SniffedFormat {
  const head = bytes.toString("latin1", 0, 64);
  const row = signatures.find(([, offset, magic]) => fits(head, offset, magic));
  if (row) return row[0];
  if (head.slice(4, 8) === "ftyp") return sniffBrands(head);
  return sniffText(bytes.subarray(0, 1024));
}

function sniffBrands(head: string): SniffedFormat {
  const major = head.slice(8, 12);
  if (!openBrands.has(major)) return stillBrands[major] ?? "mp4";
  for (let at = 16; at < brandsEnd; at += 4) {
    const found = stillBrands[head.slice(at, at + 4)];
    if (found) return found;
  }
  return "heic";
}

function fits(head: string, offset: number, magic: string): boolean {
  return [...magic].every((byte, i) => byte === "?" || head[offset + i] === byte);
}

function sniffText(head: Buffer): SniffedFormat {
  if (head.includes(0) || head.some((byte) => byte < 9)) return "unknown";
  const text = head.toString("utf8");
  if (/<svg[\s>]/i.test(text)) return "svg";
  if (/<!doctype html|<html|<head|<body/i.test(text)) return "html";
  return text.includes("\ufffd") && !endsInsideLetter(head) ? "unknown" : "text";
}

/** The head may cut the last letter in two; that alone does not rule out text. */
function endsInsideLetter(head: Buffer): boolean {
  return head.length === 1024 && !head.toString("utf8").slice(0, -1).includes("\ufffd");
}
