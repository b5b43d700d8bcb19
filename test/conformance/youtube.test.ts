import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Method, methods } from "../../src/video/index.ts";
import { channelCases, sectionCases, subscriptionCases } from "./youtube/channels.ts";
import { commentCases } from "./youtube/comments.ts";
import { openPackage } from "./youtube/package-client.ts";
import { playlistCases } from "./youtube/playlists.ts";
import { readCases } from "./youtube/reads.ts";
import { type Cases, openStage, refusal, type Stage } from "./youtube/stage.ts";
import { captionCases, videoCases } from "./youtube/videos.ts";

/** The type requires every method already; the test below also catches a method that the type does not know. */
const cases: Cases = {
  ...readCases,
  ...playlistCases,
  ...commentCases,
  ...videoCases,
  ...captionCases,
  ...channelCases,
  ...sectionCases,
  ...subscriptionCases,
};

let stage: Stage;

beforeEach(async () => {
  stage = await openStage();
});

afterEach(() => stage.close());

describe("the @googleapis/youtube package", () => {
  it("has a case for every method", () => {
    expect(Object.keys(cases).sort()).toEqual(Object.keys(methods).sort());
  });

  describe.each(Object.keys(cases) as Method[])("with %s", (method) => {
    const { verb, path } = methods[method];
    const pattern = new RegExp(`^(/upload)?/youtube/v3${path.replace(/\{\w+\}/g, "[^/]+")}$`);

    it.each(Object.entries(cases[method]))("%s", async (_fact, run) => {
      await run(stage);

      // A case that never calls its method would prove nothing.
      expect(stage.asked.some((one) => one.verb === verb && pattern.test(one.path))).toBe(true);
    });
  });

  it("understands the stand-in's errors", async () => {
    const { visitor, server } = stage;
    const stranger = openPackage(new URL(server.url).origin, { key: "nope" });

    expect(await refusal(stranger.videos.list({ part: ["id"], chart: "mostPopular" }))).toBe(
      "400 keyInvalid",
    );
    expect(await refusal(visitor.videos.list({ part: ["id"] }))).toBe(
      "400 missingRequiredParameter",
    );
    expect(await refusal(visitor.playlists.delete({ id: "PL1" }))).toBe(
      "401 authorizationRequired",
    );
  });
});
