import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OptionInput } from "../../../src/sandbox/index.ts";
import { asMessage, isEphemeral, openStage, type Stage, textOf } from "../../support/stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => {
  expect(await stage.violations()).toEqual([]);
  await stage.close();
});

async function use(path: string, options: Readonly<Record<string, OptionInput>>) {
  return asMessage(await stage.sandbox.user("owner").command(path, options));
}

describe("what is typed about pages", () => {
  it("makes them smaller", async () => {
    const message = await use("playlists list", { extra: "maxResults=2" });

    expect(textOf(message).match(/Show videos/gu)).toHaveLength(2);
    expect(stage.videoRequests.at(-1)?.query.get("maxResults")).toBe("2");
  });

  it.each([
    ["playlists list", { extra: "maxResults=6" }, "takes: 1 – 5"],
    ["regions list", { extra: "maxResults=6" }, "isn’t known here"],
    ["playlists list", { extra: "maxResults=50", output: "csv" }, "holds the whole list"],
    ["playlists list", { extra: "pageToken=x", output: "json" }, "holds the whole list"],
    ["videos list", { videos: "dQw4w9WgXcQ", extra: "maxResults=2" }, "listed by ID"],
  ] as const)("is refused where it has no effect: /%s %j", async (path, options, said) => {
    const before = stage.videoRequests.length;

    const message = await use(path, options);

    expect(textOf(message)).toContain(said);
    expect(isEphemeral(message)).toBe(true);
    expect(stage.videoRequests.slice(before).map(({ method }) => method)).not.toContain(
      path.replace(" ", "."),
    );
  });

  it("asks for as much as the service takes where its own answer is wanted", async () => {
    await use("playlists list", { extra: "maxResults=50", output: "raw" });

    expect(stage.videoRequests.at(-1)?.query.get("maxResults")).toBe("50");
  });
});

describe("requested parts", () => {
  it("are shown with each entry, and are columns of its table", async () => {
    const page = await use("playlists list", { extra: "part=player" });
    const file = await use("playlists list", { extra: "part=player", output: "csv" });

    expect(textOf(page)).toContain("player: embedHtml:");
    expect(file.attachments[0]?.filename).toBe("playlists-list.csv");
    const table = await (await fetch(file.attachments[0]?.url ?? "")).text();
    expect(table.split("\n")[0]).toContain(",player");
  });
});
