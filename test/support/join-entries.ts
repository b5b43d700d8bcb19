import type { FileEntry } from "../../src/discord/index.ts";

/** The file that the entries make if nothing is left out. */
export async function joinEntries(entries: AsyncIterable<FileEntry>): Promise<string> {
  let text = "";
  let end = "";
  for await (const entry of entries) {
    text += entry.text;
    end = entry.end;
  }
  return text + end;
}
