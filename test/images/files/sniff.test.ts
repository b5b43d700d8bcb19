import { describe, expect, it } from "vitest";
import { sniffFormat } from "../../../src/images/files/sniff.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");

describe("sniff", () => {
  it.each([
    ["jpeg", "\xff\xd8\xff\xe0\0\x10JFIF"],
    ["png", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR"],
    ["webp", "RIFF\x10\0\0\0WEBPVP8 "],
    ["gif", "GIF89a\x01\0"],
    ["avif", "\0\0\0\x1cftypavif"],
    ["heic", "\0\0\0\x18ftypheic"],
    ["mp4", "\0\0\0\x18ftypisom"],
    ["tiff", "II*\0\x08\0\0\0"],
    ["bmp", "BM\x36\0\0\0"],
    ["svg", '<?xml version="1.0"?><!-- x --><svg xmlns="http://www.w3.org/2000/svg">'],
    ["pdf", "%PDF-1.7"],
    ["html", "<!DOCTYPE html><html><body><svg>".replace("<svg>", "")],
    ["zip", "PK\x03\x04"],
    ["webm", "\x1aE\xdf\xa3"],
    ["text", "hello, this is no picture"],
    ["unknown", "\x01\x02\x03\x04"],
    ["mp4", "RIFF\x10\0\0\0AVI LIST"],
    ["unknown", "RIFF\x10\0\0\0WAVEfmt "],
  ])("names %s by its first bytes", (name, head) => {
    expect(sniffFormat(latin1(head))).toBe(name);
  });

  it("takes long text in any script for text, wherever its head is cut", () => {
    for (const lead of ["", "a", "ab"])
      expect(sniffFormat(Buffer.from(lead + "日本".repeat(400)))).toBe("text");
  });

  it("survives every length from none to a few bytes", () => {
    for (let n = 0; n < 32; n++)
      expect(sniffFormat(latin1("\xff\xd8\xff\xe0").subarray(0, n))).toBeTypeOf("string");
  });
});
