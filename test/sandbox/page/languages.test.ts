import { describe, expect, it } from "vitest";
import {
  filterEntries,
  listEntries,
  typedEntry,
} from "../../../src/sandbox/platform/page/composer/command-index.ts";
import { translatedCommands } from "./translated-commands.ts";

describe("commands in a language", () => {
  const entries = listEntries(translatedCommands, "de");
  const found = (text: string) => filterEntries(entries, text).map(({ name }) => name);

  it.each([
    ["videos hoch", ["videos upload"]],
    ["videos up", ["videos upload"]],
    ["HOCHLADEN", ["videos upload"]],
    ["lad vid", ["videos upload"]],
    ["videos", ["videos upload", "videos list"]],
    ["nothing", []],
  ])("are found by %s", (text, names) => {
    expect(found(text)).toEqual(names);
  });

  it("are picked by their whole name in either language", () => {
    expect(typedEntry(entries, "/videos hochladen rest")?.rest).toBe("rest");
    expect(typedEntry(entries, "/videos upload rest")?.entry.label).toBe("videos hochladen");
  });
});
