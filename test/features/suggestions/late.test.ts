import { describe, expect, it } from "vitest";
import { useStage } from "../../support/use-stage.ts";

const { stage, owner } = useStage();

const suggest = (typed: string) => owner.suggest("captions list", "video", typed);

describe("suggestions of a slow service", () => {
  it("are empty rather than late, and there for a later key without another call", async () => {
    stage.sandbox.video.faults.add({ kind: "delay", delayMs: 500, path: /playlistItems/u });

    const asked = () => stage.videoRequests.filter(({ path }) => path.includes("playlistItems"));

    const first = await suggest("");
    await expect.poll(() => suggest("")).not.toEqual([]);

    expect(first).toEqual([]);
    expect(asked()).toHaveLength(1);
  });

  it("are empty when it fails, and nothing is shown or logged as a fault", async () => {
    await owner.run("connect region", { region: "DE" });
    const logged = stage.logged.length;
    stage.sandbox.video.faults.add({ kind: "answer", status: 403, path: /captions/u });

    const choices = await owner.suggest("captions delete", "captions", "", {
      video: "aaaaaaaaaaa",
    });

    expect(choices).toEqual([]);
    expect(stage.logged.slice(logged).join("")).not.toContain('"level":"error"');
  });

  it("come from what was written last", async () => {
    const names = async () =>
      (await owner.suggest("playlists delete", "playlist", "")).map(({ name }) => name).join();
    const before = await names();

    await owner.run("playlists create", { title: "Brand new shelf" });

    expect(before).not.toContain("Brand new shelf");
    expect(await names()).toContain("Brand new shelf");
  });
});
