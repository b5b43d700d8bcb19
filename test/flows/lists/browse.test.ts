import { describe, expect, it } from "vitest";
import { isEphemeral, textOf } from "../../support/stage.ts";
import { useStage } from "../../support/use-stage.ts";

const { stage, owner } = useStage();
const { run } = owner;

describe("what is typed about pages", () => {
  it("makes them smaller", async () => {
    const message = await run("playlists list", { extra: "maxResults=2" });

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

    const message = await run(path, options);

    expect(textOf(message)).toContain(said);
    expect(isEphemeral(message)).toBe(true);
    expect(stage.videoRequests.slice(before).map(({ method }) => method)).not.toContain(
      path.replace(" ", "."),
    );
  });

  it("asks for as much as the service takes where its own answer is wanted", async () => {
    await run("playlists list", { extra: "maxResults=50", output: "raw" });

    expect(stage.videoRequests.at(-1)?.query.get("maxResults")).toBe("50");
  });
});

describe("requested parts", () => {
  it("are shown with each entry, and are columns of its table", async () => {
    const page = await run("playlists list", { extra: "part=player" });
    const file = await run("playlists list", { extra: "part=player", output: "csv" });

    expect(textOf(page)).toContain("player: embedHtml:");
    expect(file.attachments[0]?.filename).toBe("playlists-list.csv");
    const table = await (await fetch(file.attachments[0]?.url ?? "")).text();
    expect(table.split("\n")[0]).toContain(",player");
  });
});
